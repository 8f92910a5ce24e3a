// verdict: race
// race: lines 24 and 24, variable received, global
// repaired: clean
// args: graph:power_law_200n_1000e
// more-args: graph:rmat_65536n
// Push: every vertex adds its value to the sums of its neighbours.
// Vertices with a common neighbour update its sum without atomics.
// Repaired: the sums are updated atomically.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "../common/egr.h"

__global__ void push(const int* row, const int* adj, const int* value, int* received, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes) {
        return;
    }
    for (int e = row[v]; e < row[v + 1]; e++) {
#ifdef REPAIRED
        atomicAdd(&received[adj[e]], value[v]);
#else
        received[adj[e]] += value[v];
#endif
    }
}

int main(int argc, char** argv)
{
    const Graph graph = read_graph(argc, argv);
    std::vector<int> value(graph.nodes), received(graph.nodes), expected(graph.nodes);
    for (int v = 0; v < graph.nodes; v++) {
        value[v] = v % 100;
        for (int e = graph.row[v]; e < graph.row[v + 1]; e++) {
            expected[graph.adj[e]] += value[v];
        }
    }
    int *d_row, *d_adj, *d_value, *d_received;
    cudaMalloc(&d_row, (graph.nodes + 1) * sizeof(int));
    cudaMalloc(&d_adj, graph.edges * sizeof(int));
    cudaMalloc(&d_value, graph.nodes * sizeof(int));
    cudaMalloc(&d_received, graph.nodes * sizeof(int));
    cudaMemcpy(d_row, graph.row.data(), (graph.nodes + 1) * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_adj, graph.adj.data(), graph.edges * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_value, value.data(), graph.nodes * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_received, 0, graph.nodes * sizeof(int));
    const int threads = 64;
    const int blocks = (graph.nodes + threads - 1) / threads;
    push<<<blocks, threads>>>(d_row, d_adj, d_value, d_received, graph.nodes);
    cudaMemcpy(received.data(), d_received, graph.nodes * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_row);
    cudaFree(d_adj);
    cudaFree(d_value);
    cudaFree(d_received);
#ifdef REPAIRED
    if (received != expected) {
        fprintf(stderr, "wrong sums\n");
        return 1;
    }
#endif
    printf("pushed over %d edges\n", graph.edges);
    return 0;
}
