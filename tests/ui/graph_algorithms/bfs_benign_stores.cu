// verdict: race
// race: lines 36 and 36, variable changed, global
// race-any: lines 24 and 35, variable level, global
// race-any: lines 34 and 35, variable level, global
// race-any: lines 35 and 35, variable level, global
// repaired: clean
// args: graph:power_law_200n_1000e
// Breadth-first search with one launch a level.
// Levels are tested and set by plain accesses: often called benign, but a race.
// Repaired: levels are set by compare-and-swap and read by volatile loads, which are strong as
// well.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "../common/egr.h"

__global__ void bfs_step(const int* row, const int* adj, int* level, int* changed, int depth,
                         int nodes)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    if (v >= nodes || *(volatile int*)&level[v] != depth) {
#else
    if (v >= nodes || level[v] != depth) {
#endif
        return;
    }
    for (int e = row[v]; e < row[v + 1]; e++) {
        const int u = adj[e];
#ifdef REPAIRED
        if (atomicCAS(&level[u], -1, depth + 1) == -1) {
            atomicExch(changed, 1);
#else
        if (level[u] < 0) {
            level[u] = depth + 1;
            *changed = 1;
#endif
        }
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
    int *d_row, *d_adj, *d_level, *d_changed;
    cudaMalloc(&d_row, bytes + sizeof(int));
    cudaMalloc(&d_adj, graph.edges * sizeof(int));
    cudaMalloc(&d_level, bytes);
    cudaMalloc(&d_changed, sizeof(int));
    cudaMemcpy(d_row, graph.row.data(), bytes + sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_adj, graph.adj.data(), graph.edges * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_level, level.data(), bytes, cudaMemcpyHostToDevice);
    int changed = 1;
    for (int depth = 0; changed; depth++) {
        cudaMemset(d_changed, 0, sizeof(int));
        const int blocks = (graph.nodes + 63) / 64;
        bfs_step<<<blocks, 64>>>(d_row, d_adj, d_level, d_changed, depth, graph.nodes);
        cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(level.data(), d_level, bytes, cudaMemcpyDeviceToHost);
    for (int* pointer : {d_row, d_adj, d_level, d_changed}) {
        cudaFree(pointer);
    }
#ifdef REPAIRED
    // Along an edge the level grows by at most one, and only the source has level 0.
    for (int v = 0; v < graph.nodes; v++) {
        for (int e = graph.row[v]; e < graph.row[v + 1]; e++) {
            const int next = level[graph.adj[e]];
            if (level[v] >= 0 && (next < 0 || next > level[v] + 1)) {
                fprintf(stderr, "wrong levels along edge %d to %d\n", v, graph.adj[e]);
                return 1;
            }
        }
    }
#endif
    printf("searched from vertex %d\n", source);
    return 0;
}
