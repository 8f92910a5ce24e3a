// verdict: race
// race: lines 22 and 22, variable hubs, global
// repaired: clean
// args: graph:counter_dag_200n_1000e
// Counts the vertices that have at least as many neighbours as the average vertex.
// Every such vertex increments one plain counter.
// Repaired: the counter is incremented atomically.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "../common/egr.h"

__global__ void count_hubs(const int* row, int* hubs, int nodes, int threshold)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < nodes) {
        const int degree = row[v + 1] - row[v];
        if (degree >= threshold) {
#ifdef REPAIRED
            atomicAdd(hubs, 1);
#else
            (*hubs)++;
#endif
        }
    }
}

int main(int argc, char** argv)
{
    const Graph graph = read_graph(argc, argv);
    const int threshold = graph.edges / graph.nodes;
    int expected = 0, hubs = 0;
    for (int v = 0; v < graph.nodes; v++) {
        expected += graph.degree(v) >= threshold;
    }
    int *d_row, *d_hubs;
    cudaMalloc(&d_row, (graph.nodes + 1) * sizeof(int));
    cudaMalloc(&d_hubs, sizeof(int));
    cudaMemcpy(d_row, graph.row.data(), (graph.nodes + 1) * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_hubs, 0, sizeof(int));
    count_hubs<<<(graph.nodes + 31) / 32, 32>>>(d_row, d_hubs, graph.nodes, threshold);
    cudaMemcpy(&hubs, d_hubs, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_row);
    cudaFree(d_hubs);
#ifdef REPAIRED
    if (hubs != expected) {
        fprintf(stderr, "%d hubs instead of %d\n", hubs, expected);
        return 1;
    }
    printf("%d vertices are hubs\n", hubs);
#else
    printf("%d vertices are hubs\n", expected);
#endif
    return 0;
}
