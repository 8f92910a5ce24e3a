// verdict: race
// race: lines 21 and 27, variable slot, global
// repaired: clean
// Two blocks take numbers from a relaxed counter: the first one writes, the second one reads.
// That the second number was drawn later is no order: relaxed read-modify-writes are no patterns, and
// the first block may not even have written.
// Repaired: the second block reads only if an acquiring load shows that the first one is done; the
// access happens on some schedules only, and is ordered whenever it does.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ int number;
__device__ int slot, seen = -1;
__device__ cuda::atomic<int, cuda::thread_scope_device> done{0};

__global__ void draw()
{
    const int mine = atomicAdd(&number, 1);
    if (mine == 0) {
        slot = 8;
        done.store(1, cuda::memory_order_release);
    } else {
#ifdef REPAIRED
        if (done.load(cuda::memory_order_acquire) == 0) return;
#endif
        seen = slot;
    }
}

int main()
{
    draw<<<2, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, seen, sizeof result);
#ifdef REPAIRED
    if (result != 8 && result != -1) return 1;
#endif
    printf("seen %d\n", result);
    return 0;
}
