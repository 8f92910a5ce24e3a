// verdict: race
// race: lines 19 and 32, variable slots, global
// repaired: clean
// The blocks of a cluster exchange numbers in global memory around a barrier in two halves, and arrive relaxed
// (PTX ISA, barrier.cluster). The writes before the arrival race with the reads.
// Repaired: a fence between the writes and the arrival makes the two a release.
#include <cstdio>
#include <vector>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

constexpr int threads = 64, blocks = 6;

__global__ void exchange(int* slots, int* out)
{
    const int t = threadIdx.x;
    const unsigned rank = cg::this_cluster().block_rank(), size = cg::this_cluster().num_blocks();
    slots[blockIdx.x * threads + t] = 5 * t + blockIdx.x;
#ifdef REPAIRED
    __threadfence();
#endif
    __cluster_barrier_arrive_relaxed();
    // Work that needs nothing of the other blocks.
    const int own = t * t;
    __cluster_barrier_wait();
    // The next block of the cluster.
    const int first = blockIdx.x - rank;
    const int next = first + (rank + 1) % size;
    out[blockIdx.x * threads + t] =
        own +
        slots[next * threads + t];
}

int main()
{
    const int n = blocks * threads, size = 3;
    std::vector<int> out(n);
    int *d_slots, *d_out;
    cudaMalloc(&d_slots, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaLaunchConfig_t configuration{};
    configuration.gridDim = blocks;
    configuration.blockDim = threads;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = size;
    attribute[0].val.clusterDim.y = 1;
    attribute[0].val.clusterDim.z = 1;
    configuration.attrs = attribute;
    configuration.numAttrs = 1;
    cudaLaunchKernelEx(&configuration, exchange, d_slots, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_slots);
    cudaFree(d_out);
    bool correct = true;
    for (int i = 0; i < n; i++) {
        const int block = i / threads, t = i % threads;
        const int next = block / size * size + (block % size + 1) % size;
        correct = correct && out[i] == t * t + 5 * t + next;
    }
#ifdef REPAIRED
    return correct ? 0 : 1;
#else
    printf("%s\n", correct ? "correct" : "wrong");
    return 0;
#endif
}
