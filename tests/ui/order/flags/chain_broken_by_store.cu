// verdict: race
// race: lines 20 and 36, variable document, global
// repaired: clean
// Block 0 releases stage 1, block 1 moves the stage on to 2, block 2 acquires stage 2.
// Block 1 moves it by a relaxed store. The acquire then reads a write that does not follow from the
// release by read-modify-writes: the release does not precede it in observation order.
// Repaired: a relaxed fetch_add() reads the release's value and passes the release on.
// (Block 2 looks at the stage when block 1 has moved it: it would acquire stage 1 as well.)
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ cuda::atomic<int, cuda::thread_scope_device> stage{0}, moved{0};
__device__ int document;
__device__ int printed;

__global__ void office()
{
    if (blockIdx.x == 0) {
        document = 99;
        stage.store(1, cuda::memory_order_release);
    } else if (blockIdx.x == 1) {
        while (stage.load(cuda::memory_order_relaxed) != 1) {
        }
#ifdef REPAIRED
        stage.fetch_add(1, cuda::memory_order_relaxed);
#else
        stage.store(2, cuda::memory_order_relaxed);
#endif
        moved.store(1, cuda::memory_order_relaxed);
    } else {
        while (moved.load(cuda::memory_order_relaxed) == 0) {
        }
        while (stage.load(cuda::memory_order_acquire) != 2) {
        }
        printed = document;
    }
}

int main()
{
    office<<<3, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, printed, sizeof result);
    if (result != 99) return 1;
    printf("printed %d\n", result);
    return 0;
}
