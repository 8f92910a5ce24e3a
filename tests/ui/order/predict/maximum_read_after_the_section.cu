// verdict: possible
// possible: lines 28 and 38, variable best, global
// predict: 8
// repaired: clean
// Writers store a value under a lock. The reader counts its visit under the same lock, and looks at the
// value when it has already left.
// Repaired: it looks before it leaves.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ cuda::atomic<int, cuda::thread_scope_device> door{0};
__device__ int best = 1, visits = 0, shown = 0;

__device__ void open()
{
    while (door.exchange(1, cuda::memory_order_acquire) != 0) {
    }
}

__device__ void close() { door.store(0, cuda::memory_order_release); }

__global__ void exhibit()
{
    const int me = blockIdx.x;
    if (me == 0) {
        open();
        best = 7;
        close();
    } else {
        open();
        ++visits;
#ifdef REPAIRED
        shown = best;
        close();
#else
        close();
        shown = best;
#endif
    }
}

int main()
{
    exhibit<<<2, 1>>>();
    int seen = 0;
    cudaMemcpyFromSymbol(&seen, shown, sizeof seen);
    if (seen != 1 && seen != 7) return 1;
    printf("%d\n", seen);
    return 0;
}
