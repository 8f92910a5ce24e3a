// verdict: race
// race: lines 26 and 26, variable touched, global
// race: lines 42 and 42, variable changed, global
// repaired: clean
// args: graph:power_law_200n_1000e
// more-args: graph:rmat_65536n
// Breadth-first search, two launches a level, until no vertex changes.
// Several threads mark one vertex, and set the flag, with plain stores of the same value.
// Repaired: marks and flag are stored atomically.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "../common/egr.h"

__global__ void expand(const int* row, const int* adj, const int* level, int* touched, int depth,
                       int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < nodes && level[v] == depth) {
        for (int e = row[v]; e < row[v + 1]; e++) {
            if (level[adj[e]] < 0) {
#ifdef REPAIRED
                atomicExch(&touched[adj[e]], 1);
#else
                touched[adj[e]] = 1;
#endif
            }
        }
    }
}

__global__ void settle(int* level, int* touched, int* changed, int depth, int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < nodes && touched[v]) {
        touched[v] = 0;
        level[v] = depth + 1;
#ifdef REPAIRED
        atomicExch(changed, 1);
#else
        *changed = 1;
#endif
    }
}

int main(int argc, char** argv)
{
    const Graph graph = read_graph(argc, argv);
    int source = 0;
    for (int v = 0; v < graph.nodes; v++) {
        source = graph.degree(v) > graph.degree(source) ? v : source;
    }
    std::vector<int> level(graph.nodes, -1);
    level[source] = 0;
    const size_t bytes = graph.nodes * sizeof(int);
    int *d_row, *d_adj, *d_level, *d_touched, *d_changed;
    cudaMalloc(&d_row, bytes + sizeof(int));
    cudaMalloc(&d_adj, graph.edges * sizeof(int));
    cudaMalloc(&d_level, bytes);
    cudaMalloc(&d_touched, bytes);
    cudaMalloc(&d_changed, sizeof(int));
    cudaMemcpy(d_row, graph.row.data(), bytes + sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_adj, graph.adj.data(), graph.edges * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_level, level.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemset(d_touched, 0, bytes);
    const int threads = 128, blocks = (graph.nodes + threads - 1) / threads;
    int changed = 1;
    for (int depth = 0; changed; depth++) {
        cudaMemset(d_changed, 0, sizeof(int));
        expand<<<blocks, threads>>>(d_row, d_adj, d_level, d_touched, depth, graph.nodes);
        settle<<<blocks, threads>>>(d_level, d_touched, d_changed, depth, graph.nodes);
        cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(level.data(), d_level, bytes, cudaMemcpyDeviceToHost);
    for (int* pointer : {d_row, d_adj, d_level, d_touched, d_changed}) {
        cudaFree(pointer);
    }
#ifdef REPAIRED
    std::vector<int> expected(graph.nodes, -1), queue(1, source);
    expected[source] = 0;
    for (size_t i = 0; i < queue.size(); i++) {
        for (int e = graph.row[queue[i]]; e < graph.row[queue[i] + 1]; e++) {
            if (expected[graph.adj[e]] < 0) {
                expected[graph.adj[e]] = expected[queue[i]] + 1;
                queue.push_back(graph.adj[e]);
            }
        }
    }
    if (level != expected) {
        fprintf(stderr, "wrong levels\n");
        return 1;
    }
#endif
    printf("searched from vertex %d\n", source);
    return 0;
}
