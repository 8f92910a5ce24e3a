// verdict: race
// race: lines 22 and 32, variable results, global
// repaired: clean
// Two levels: the last warp of a block counts the block, the last block reads all results. The shared
// counter has block scope, the global one device scope.
// The fence of the warps has block scope. That is enough for the first level; for the second one,
// the pair of fences is not morally strong.
// Repaired: the last warp of the block has a fence of device scope. It is cumulative over the first level.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int blocks = 3, warps = 4;
__device__ int results[blocks * warps], finished, sum;

__global__ void levels()
{
    __shared__ int s_finished;
    if (threadIdx.x == 0) s_finished = 0;
    __syncthreads();
    if (threadIdx.x % 32 != 0) return;
    const int w = threadIdx.x / 32;
    results[blockIdx.x * warps + w] = blockIdx.x + w;
    __threadfence_block();
    if (atomicAdd_block(&s_finished, 1) != warps - 1) return;
    __threadfence_block();
#ifdef REPAIRED
    __threadfence();
#endif
    if (atomicAdd(&finished, 1) != blocks - 1) return;
    __threadfence();
    for (int i = 0; i < blocks * warps; i++) {
        sum += results[i];
    }
}

int main()
{
    levels<<<blocks, 32 * warps>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, sum, sizeof result);
    if (result != 30) return 1;
    printf("sum %d\n", result);
    return 0;
}
