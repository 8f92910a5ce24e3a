// verdict: possible
// possible: lines 34 and 43, variable s_tile, shared
// predict: 8
// repaired: clean
// The first thread of each warp counts its warp under a lock in shared memory, with fences for the block.
// Warp 0 has filled a tile before, and warp 1 reads it afterwards.
// Repaired: a barrier of the block comes before the reads.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int result[4];

__device__ void count(int* lock, int* warps)
{
    while (atomicCAS_block(lock, 0, 1) != 0) {
    }
    __threadfence_block();
    *warps += 1;
    __threadfence_block();
    atomicExch_block(lock, 0);
}

__global__ void relay()
{
    __shared__ int s_lock, s_warps;
    __shared__ int s_tile[4];
    const int t = threadIdx.x;
    if (t == 0) {
        s_lock = s_warps = 0;
    }
    __syncthreads();
    if (t == 0) {
        for (int i = 0; i < 4; ++i) {
            s_tile[i] = 5 + i;
        }
    }
    if (t % 32 == 0) count(&s_lock, &s_warps);
#ifdef REPAIRED
    __syncthreads();
#endif
    if (t == 32) {
        for (int i = 0; i < 4; ++i) {
            result[i] = s_tile[i];
        }
    }
}

int main()
{
    relay<<<1, 64>>>();
    int found[4];
    cudaMemcpyFromSymbol(found, result, sizeof found);
#ifdef REPAIRED
    if (found[3] != 8) return 1;
#endif
    printf("%d\n", found[3]);
    return 0;
}
