// verdict: clean
// Lanes reach the same function by two calls, in the branches of an `if`. The results of
// `__activemask()` and `coalesced_threads()` contain only lanes of the same branch.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__device__ int push(int* count)
{
    const unsigned mask = __activemask();
    const int leader = __ffs(mask) - 1, lane = threadIdx.x % 32;
    int base = 0;
    if (lane == leader) base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(mask, base, leader);
    return base + __popc(mask & ((1u << lane) - 1));
}

__device__ int push_group(int* count)
{
    const auto group = cg::coalesced_threads();
    int base = 0;
    if (group.thread_rank() == 0) base = atomicAdd(count, static_cast<int>(group.size()));
    return group.shfl(base, 0) + static_cast<int>(group.thread_rank());
}

template <class Push>
__device__ void split(Push push, int* small, int* large, int* counts)
{
    const int value = threadIdx.x * 37 % 101;
    if (value < 40) {
        small[push(&counts[0])] = value;
    } else {
        large[push(&counts[1])] = value;
    }
}

__global__ void split_by_mask(int* small, int* large, int* counts) { split(push, small, large, counts); }
__global__ void split_by_group(int* small, int* large, int* counts) { split(push_group, small, large, counts); }

int main()
{
    const int n = 96;
    int expected = 0;
    for (int i = 0; i < n; i++) expected += i * 37 % 101 < 40;
    int *small, *large, *counts;
    cudaMalloc(&small, n * sizeof(int));
    cudaMalloc(&large, n * sizeof(int));
    cudaMalloc(&counts, 2 * sizeof(int));
    for (int round = 0; round < 2; round++) {
        cudaMemset(counts, 0, 2 * sizeof(int));
        if (round == 0) {
            split_by_mask<<<1, n>>>(small, large, counts);
        } else {
            split_by_group<<<1, n>>>(small, large, counts);
        }
        int found[2];
        cudaMemcpy(found, counts, sizeof(found), cudaMemcpyDeviceToHost);
        printf("%d small, %d large\n", found[0], found[1]);
        if (found[0] != expected || found[1] != n - expected) return 1;
    }
    cudaFree(small);
    cudaFree(large);
    cudaFree(counts);
    return 0;
}
