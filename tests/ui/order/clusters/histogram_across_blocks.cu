// verdict: race
// race: lines 31 and 41, variable bins, shared
// repaired: clean
// The bins of a histogram are distributed over the shared memory of a cluster, and each thread counts its
// values in the block that has the bin. Each block then writes its bins out after a barrier of its own threads
// only, so the counts of other blocks are not ordered before the reads.
// Repaired: the cluster meets before the bins are read.
#include <cstdio>
#include <vector>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

constexpr int threads = 64, bins_per_block = 16, cluster_blocks = 4, n = 512;

__global__ void __cluster_dims__(cluster_blocks, 1, 1) count(const int* values, int* histogram)
{
    __shared__ int bins[bins_per_block];
    cg::cluster_group cluster = cg::this_cluster();
    const int rank = cluster.block_rank();
    const int t = threadIdx.x;
    if (t < bins_per_block) {
        bins[t] = 0;
    }
    cluster.sync();
    const int all = cluster.num_blocks() * threads;
    for (int i = cluster.thread_rank(); i < n; i += all) {
        const int bin = values[i];
        int* const there = cluster.map_shared_rank(bins, bin / bins_per_block);
        // The bins of another block.
        atomicAdd(&there[bin % bins_per_block], 1);
    }
#ifdef REPAIRED
    cluster.sync();
#else
    __syncthreads();
#endif
    if (t < bins_per_block) {
        histogram[rank * bins_per_block + t] =
            // What all blocks have counted.
            bins[t];
    }
    cluster.sync();
}

int main()
{
    const int bins = cluster_blocks * bins_per_block;
    std::vector<int> values(n), histogram(bins), expected(bins);
    for (int i = 0; i < n; i++) {
        values[i] = i * 37 % bins;
        expected[values[i]]++;
    }
    int *d_values, *d_histogram;
    cudaMalloc(&d_values, n * sizeof(int));
    cudaMalloc(&d_histogram, bins * sizeof(int));
    cudaMemcpy(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    count<<<cluster_blocks, threads>>>(d_values, d_histogram);
    cudaMemcpy(histogram.data(), d_histogram, bins * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_values);
    cudaFree(d_histogram);
#ifdef REPAIRED
    return histogram == expected ? 0 : 1;
#else
    printf("%s\n", histogram == expected ? "correct" : "wrong");
    return 0;
#endif
}
