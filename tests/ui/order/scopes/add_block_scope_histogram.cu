// verdict: race
// race: lines 25 and 25, variable bins, global
// repaired: clean
// All blocks count in one histogram by atomicAdd_block().
// Additions by threads of two blocks are not in each other's scope: not morally strong, so they conflict
// like any update. Within a block they are fine.
// Repaired: each block counts in its own part by block scope, and adds that part at device scope.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int bins_count = 4;
__device__ int bins[bins_count];

__global__ void histogram()
{
    __shared__ int s_bins[bins_count];
    if (threadIdx.x < bins_count) s_bins[threadIdx.x] = 0;
    __syncthreads();
    const int bin = (threadIdx.x * 3 + blockIdx.x) % bins_count;
#ifdef REPAIRED
    atomicAdd_block(&s_bins[bin], 1);
    __syncthreads();
    if (threadIdx.x < bins_count) atomicAdd(&bins[threadIdx.x], s_bins[threadIdx.x]);
#else
    atomicAdd_block(&bins[bin], 1);
#endif
}

int main()
{
    histogram<<<3, 64>>>();
    int result[bins_count];
    cudaMemcpyFromSymbol(result, bins, sizeof result);
#ifdef REPAIRED
    for (int count : result) {
        if (count != 48) return 1;
    }
#endif
    printf("%d in bin 0\n", result[0]);
    return 0;
}
