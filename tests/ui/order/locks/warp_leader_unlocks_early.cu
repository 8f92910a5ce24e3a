// verdict: race
// race: lines 23 and 23, variable column, global
// repaired: clean
// Lane 0 takes a lock for its warp, all lanes add to their column, and lane 0 gives the lock back.
// Nothing puts the other lanes' updates before lane 0's release: program order is of one thread.
// Repaired: __syncwarp() before the release. The barrier orders the lanes before lane 0, and the release
// is cumulative.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int lock;
__device__ int column[32];

__global__ void add_rows()
{
    const int lane = threadIdx.x;
    if (lane == 0) {
        while (atomicExch(&lock, 1)) {
        }
        __threadfence();
    }
    __syncwarp();
    column[lane] += lane + 1;
#ifdef REPAIRED
    __syncwarp();
#endif
    if (lane == 0) {
        __threadfence();
        atomicExch(&lock, 0);
    }
}

int main()
{
    const int rows = 5;
    add_rows<<<rows, 32>>>();
    int result[32];
    cudaMemcpyFromSymbol(result, column, sizeof result);
#ifdef REPAIRED
    for (int c = 0; c < 32; c++) {
        if (result[c] != rows * (c + 1)) return 1;
    }
#endif
    printf("%d\n", result[31]);
    return 0;
}
