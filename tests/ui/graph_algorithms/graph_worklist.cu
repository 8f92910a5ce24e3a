// verdict: race
// race: lines 29 and 30, variable visited, global
// race-any: lines 29 and 30, variable visited, global
// race-any: lines 30 and 30, variable visited, global
// repaired: clean
// args: graph:power_law_200n_1000e
// more-args: graph:rmat_65536n
// Expands a frontier: unvisited neighbours are marked and put on the next worklist.
// Testing and setting the mark are two plain accesses.
// Repaired: testing and setting the mark are one atomic exchange.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "../common/egr.h"

__global__ void expand(const int* row, const int* adj, const int* frontier, int size, int* visited,
                       int* next, int* next_size)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) {
        return;
    }
    const int v = frontier[i];
    for (int e = row[v]; e < row[v + 1]; e++) {
        const int u = adj[e];
#ifdef REPAIRED
        const int seen = atomicExch(&visited[u], 1);
#else
        const int seen = visited[u];
        visited[u] = 1;
#endif
        if (!seen) {
            next[atomicAdd(next_size, 1)] = u;
        }
    }
}

int main(int argc, char** argv)
{
    const Graph graph = read_graph(argc, argv);
    // The frontier is the first half of the vertices.
    const int size = graph.nodes / 2;
    std::vector<int> frontier(size), visited(graph.nodes, 0);
    for (int v = 0; v < size; v++) {
        frontier[v] = v;
        visited[v] = 1;
    }
    int *d_row, *d_adj, *d_frontier, *d_visited, *d_next, *d_next_size;
    cudaMalloc(&d_row, (graph.nodes + 1) * sizeof(int));
    cudaMalloc(&d_adj, graph.edges * sizeof(int));
    cudaMalloc(&d_frontier, size * sizeof(int));
    cudaMalloc(&d_visited, graph.nodes * sizeof(int));
    cudaMalloc(&d_next, graph.edges * sizeof(int));
    cudaMalloc(&d_next_size, sizeof(int));
    cudaMemcpy(d_row, graph.row.data(), (graph.nodes + 1) * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_adj, graph.adj.data(), graph.edges * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_frontier, frontier.data(), size * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_visited, visited.data(), graph.nodes * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_next_size, 0, sizeof(int));
    const int blocks = (size + 31) / 32;
    expand<<<blocks, 32>>>(d_row, d_adj, d_frontier, size, d_visited, d_next, d_next_size);
    int next_size = 0;
    cudaMemcpy(&next_size, d_next_size, sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<int> next(next_size);
    cudaMemcpy(next.data(), d_next, next_size * sizeof(int), cudaMemcpyDeviceToHost);
    for (int* pointer : {d_row, d_adj, d_frontier, d_visited, d_next, d_next_size}) {
        cudaFree(pointer);
    }
#ifdef REPAIRED
    // Every unvisited neighbour of the frontier must be on the list exactly once.
    int reached = 0;
    for (int v : frontier) {
        for (int e = graph.row[v]; e < graph.row[v + 1]; e++) {
            reached += visited[graph.adj[e]]++ == 0;
        }
    }
    for (int u : next) {
        if (visited[u] == 0) {
            fprintf(stderr, "vertex %d is on the list wrongly or twice\n", u);
            return 1;
        }
        visited[u] = 0;
    }
    if (next_size != reached) {
        fprintf(stderr, "%d vertices on the list instead of %d\n", next_size, reached);
        return 1;
    }
#endif
    printf("expanded %d vertices\n", size);
    return 0;
}
