// verdict: race
// race: lines 27 and 27, variable crossing, global
// repaired: clean
// args: graph:dag_100n_200e
// Counts, per part of a partition, the edges that leave the part.
// Threads whose vertices are in one part update its counter without order.
// Repaired: the counters are incremented atomically.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "../common/egr.h"

constexpr int parts = 4;

__global__ void count_crossing(const int* row, const int* adj, const int* part, int* crossing,
                               int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes) {
        return;
    }
    for (int e = row[v]; e < row[v + 1]; e++) {
        if (part[v] != part[adj[e]]) {
#ifdef REPAIRED
            atomicAdd(&crossing[part[v]], 1);
#else
            crossing[part[v]] += 1;
#endif
        }
    }
}

int main(int argc, char** argv)
{
    const Graph graph = read_graph(argc, argv);
    std::vector<int> part(graph.nodes), crossing(parts), expected(parts);
    for (int v = 0; v < graph.nodes; v++) {
        part[v] = v * 7 % parts;
    }
    for (int v = 0; v < graph.nodes; v++) {
        for (int e = graph.row[v]; e < graph.row[v + 1]; e++) {
            expected[part[v]] += part[v] != part[graph.adj[e]];
        }
    }
    int *d_row, *d_adj, *d_part, *d_crossing;
    cudaMalloc(&d_row, (graph.nodes + 1) * sizeof(int));
    cudaMalloc(&d_adj, graph.edges * sizeof(int));
    cudaMalloc(&d_part, graph.nodes * sizeof(int));
    cudaMalloc(&d_crossing, parts * sizeof(int));
    cudaMemcpy(d_row, graph.row.data(), (graph.nodes + 1) * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_adj, graph.adj.data(), graph.edges * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_part, part.data(), graph.nodes * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_crossing, 0, parts * sizeof(int));
    const int blocks = (graph.nodes + 63) / 64;
    count_crossing<<<blocks, 64>>>(d_row, d_adj, d_part, d_crossing, graph.nodes);
    cudaMemcpy(crossing.data(), d_crossing, parts * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_row);
    cudaFree(d_adj);
    cudaFree(d_part);
    cudaFree(d_crossing);
#ifdef REPAIRED
    if (crossing != expected) {
        fprintf(stderr, "wrong counts\n");
        return 1;
    }
#endif
    printf("partition of %d vertices\n", graph.nodes);
    return 0;
}
