// verdict: race
// race: lines 23 and 23, variable parent, global
// repaired: clean
// args: graph:counter_dag_200n_1000e
// Hooking, one thread an edge: the larger end of every edge is hooked to the smaller one.
// Edges with the same larger end store their parent unordered: any of them may win.
// Repaired: the smallest parent wins, by atomicMin.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#include "../common/egr.h"

__global__ void hook(const int2* edge, int* parent, int edges)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < edges) {
        const int high = max(edge[e].x, edge[e].y);
        const int low = min(edge[e].x, edge[e].y);
#ifdef REPAIRED
        atomicMin(&parent[high], low);
#else
        parent[high] = low;
#endif
    }
}

int main(int argc, char** argv)
{
    const Graph graph = read_graph(argc, argv);
    std::vector<int2> edge;
    std::vector<int> parent(graph.nodes), expected(graph.nodes);
    for (int v = 0; v < graph.nodes; v++) {
        parent[v] = expected[v] = v;
    }
    for (int v = 0; v < graph.nodes; v++) {
        for (int e = graph.row[v]; e < graph.row[v + 1]; e++) {
            const int u = graph.adj[e];
            edge.push_back(make_int2(v, u));
            expected[std::max(u, v)] = std::min(expected[std::max(u, v)], std::min(u, v));
        }
    }
    int2* d_edge;
    int* d_parent;
    cudaMalloc(&d_edge, edge.size() * sizeof(int2));
    cudaMalloc(&d_parent, graph.nodes * sizeof(int));
    cudaMemcpy(d_edge, edge.data(), edge.size() * sizeof(int2), cudaMemcpyHostToDevice);
    cudaMemcpy(d_parent, parent.data(), graph.nodes * sizeof(int), cudaMemcpyHostToDevice);
    hook<<<(graph.edges + 127) / 128, 128>>>(d_edge, d_parent, graph.edges);
    cudaMemcpy(parent.data(), d_parent, graph.nodes * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_edge);
    cudaFree(d_parent);
#ifdef REPAIRED
    if (parent != expected) {
        fprintf(stderr, "wrong parents\n");
        return 1;
    }
#endif
    printf("hooked over %d edges\n", graph.edges);
    return 0;
}
