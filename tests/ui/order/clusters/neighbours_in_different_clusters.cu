// verdict: race
// race: lines 20 and 30, variable edges, global
// repaired: clean
// Every block publishes its sum in global memory and reads that of the next block, and the cluster meets in
// between. The next block of the last block of a cluster is in another cluster, which the barrier does not order.
// Repaired: a block reads the sum of the next block of its own cluster.
#include <cstdio>
#include <utility>
#include <vector>
#include <cooperative_groups.h>
#include <cuda_runtime.h>

constexpr int threads = 32, blocks = 8, size = 4;

__global__ __cluster_dims__(size) void sums(int* edges, int* out)
{
    namespace cg = cooperative_groups;
    auto cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        edges[blockIdx.x] = 3 * blockIdx.x + 1;
    }
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(token));
    if (threadIdx.x == 0) {
#ifdef REPAIRED
        const int next = blockIdx.x / size * size + (blockIdx.x + 1) % size;
#else
        const int next = (blockIdx.x + 1) % gridDim.x;
#endif
        out[blockIdx.x] = edges[next];
    }
}

int main()
{
    std::vector<int> out(blocks);
    int *d_edges, *d_out;
    cudaMalloc(&d_edges, blocks * sizeof(int));
    cudaMalloc(&d_out, blocks * sizeof(int));
    cudaMemset(d_edges, 0, blocks * sizeof(int));
    sums<<<blocks, threads>>>(d_edges, d_out);
    cudaMemcpy(out.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_edges);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int i = 0; i < blocks; i++) {
        if (out[i] != 3 * (i / size * size + (i + 1) % size) + 1) {
            return 1;
        }
    }
#else
    printf("%d\n", out[0]);
#endif
    return 0;
}
