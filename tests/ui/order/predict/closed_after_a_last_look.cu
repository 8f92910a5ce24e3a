// verdict: clean
// predict: 8
// Blocks look under a lock whether a variable is still open, and then count there. The one who closes it
// under the lock owns the count from then on: those who have looked before have also left the lock.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int lock = 0;
__device__ int closed = 0, ticks = 0;
__device__ int looks = 0;

__device__ void enter()
{
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
}

__device__ void leave()
{
    __threadfence();
    atomicExch(&lock, 0);
}

__global__ void tick()
{
    if (blockIdx.x == 3) {
        enter();
        closed = 1;
        leave();
        ticks = -ticks;
        return;
    }
    for (int i = 0; i < 2; ++i) {
        enter();
        const bool is_open = closed == 0;
        atomicAdd(&looks, 1);
        if (is_open) ticks += 1;
        leave();
    }
}

int main()
{
    tick<<<4, 1>>>();
    int counted = 0, seen = 0;
    cudaMemcpyFromSymbol(&counted, ticks, sizeof counted);
    cudaMemcpyFromSymbol(&seen, looks, sizeof seen);
    if (counted > 0 || seen != 6) return 1;
    printf("%d\n", -counted);
    return 0;
}
