// verdict: race
// race: lines 27 and 32, variable value, global
// repaired: clean
// args: graph:dag_200n_400e
// more-args: graph:rmat_65536n
// Pull: every vertex takes the largest value among its neighbours.
// Values are replaced in place, while other vertices pull them.
// Repaired: old and new values are kept apart.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "../common/egr.h"

#ifdef REPAIRED
__global__ void pull(const int* row, const int* adj, const int* value, int* pulled, int nodes)
#else
__global__ void pull(const int* row, const int* adj, int* value, int nodes)
#endif
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes) {
        return;
    }
    int best = 0;
    for (int e = row[v]; e < row[v + 1]; e++) {
        best = max(best, value[adj[e]]);
    }
#ifdef REPAIRED
    pulled[v] = best;
#else
    value[v] = best;
#endif
}

int main(int argc, char** argv)
{
    const Graph graph = read_graph(argc, argv);
    std::vector<int> value(graph.nodes), pulled(graph.nodes), expected(graph.nodes);
    for (int v = 0; v < graph.nodes; v++) {
        value[v] = (v * 37) % 1009;
    }
    for (int v = 0; v < graph.nodes; v++) {
        for (int e = graph.row[v]; e < graph.row[v + 1]; e++) {
            expected[v] = std::max(expected[v], value[graph.adj[e]]);
        }
    }
    int *d_row, *d_adj, *d_value;
    cudaMalloc(&d_row, (graph.nodes + 1) * sizeof(int));
    cudaMalloc(&d_adj, graph.edges * sizeof(int));
    cudaMalloc(&d_value, graph.nodes * sizeof(int));
    cudaMemcpy(d_row, graph.row.data(), (graph.nodes + 1) * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_adj, graph.adj.data(), graph.edges * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_value, value.data(), graph.nodes * sizeof(int), cudaMemcpyHostToDevice);
    const int threads = 64;
    const int blocks = (graph.nodes + threads - 1) / threads;
#ifdef REPAIRED
    int* d_pulled;
    cudaMalloc(&d_pulled, graph.nodes * sizeof(int));
    pull<<<blocks, threads>>>(d_row, d_adj, d_value, d_pulled, graph.nodes);
    cudaMemcpy(pulled.data(), d_pulled, graph.nodes * sizeof(int), cudaMemcpyDeviceToHost);
#else
    pull<<<blocks, threads>>>(d_row, d_adj, d_value, graph.nodes);
    cudaMemcpy(pulled.data(), d_value, graph.nodes * sizeof(int), cudaMemcpyDeviceToHost);
#endif
    cudaFree(d_row);
    cudaFree(d_adj);
    cudaFree(d_value);
#ifdef REPAIRED
    cudaFree(d_pulled);
    if (pulled != expected) {
        fprintf(stderr, "wrong values\n");
        return 1;
    }
#endif
    printf("pulled over %d edges\n", graph.edges);
    return 0;
}
