// verdict: race
// race: lines 18 and 44, variable label, global
// race: lines 45 and 45, variable changed, global
// repaired: clean
// args: graph:dag_200n_400e
// more-args: graph:rmat_65536n
// Connected components by label propagation, one launch a round, until no label changes.
// Labels are updated in place and the flag is set by plain stores.
// Repaired: labels of the last and of this round are kept apart; the flag is set atomically.
#include <cstdio>
#include <utility>
#include <vector>
#include <cuda_runtime.h>
#include "../common/egr.h"

__device__ int label_of(const int* label, int v)
{
    return label[v];
}

#ifdef REPAIRED
__global__ void propagate(const int* row, const int* adj, const int* label, int* next, int* changed,
                          int nodes)
#else
__global__ void propagate(const int* row, const int* adj, int* label, int* changed, int nodes)
#endif
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes) {
        return;
    }
    const int mine = label_of(label, v);
    int best = mine;
    for (int e = row[v]; e < row[v + 1]; e++) {
        best = min(best, label_of(label, adj[e]));
    }
#ifdef REPAIRED
    next[v] = best;
#endif
    if (best < mine) {
#ifdef REPAIRED
        atomicExch(changed, 1);
#else
        label[v] = best;
        *changed = 1;
#endif
    }
}

int main(int argc, char** argv)
{
    const Graph graph = symmetrised(read_graph(argc, argv));
    std::vector<int> label(graph.nodes);
    for (int v = 0; v < graph.nodes; v++) {
        label[v] = v;
    }
    const size_t bytes = graph.nodes * sizeof(int);
    int *d_row, *d_adj, *d_label, *d_changed;
    cudaMalloc(&d_row, bytes + sizeof(int));
    cudaMalloc(&d_adj, graph.edges * sizeof(int));
    cudaMalloc(&d_label, bytes);
    cudaMalloc(&d_changed, sizeof(int));
    cudaMemcpy(d_row, graph.row.data(), bytes + sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_adj, graph.adj.data(), graph.edges * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_label, label.data(), bytes, cudaMemcpyHostToDevice);
#ifdef REPAIRED
    int* d_next;
    cudaMalloc(&d_next, bytes);
#endif
    const int threads = 128, blocks = (graph.nodes + threads - 1) / threads;
    int changed = 1;
    while (changed) {
        cudaMemset(d_changed, 0, sizeof(int));
#ifdef REPAIRED
        propagate<<<blocks, threads>>>(d_row, d_adj, d_label, d_next, d_changed, graph.nodes);
        std::swap(d_label, d_next);
#else
        propagate<<<blocks, threads>>>(d_row, d_adj, d_label, d_changed, graph.nodes);
#endif
        cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(label.data(), d_label, bytes, cudaMemcpyDeviceToHost);
    for (int* pointer : {d_row, d_adj, d_label, d_changed}) {
        cudaFree(pointer);
    }
#ifdef REPAIRED
    cudaFree(d_next);
    // A label is the smallest vertex of its component: it is its own label, and all neighbours'.
    for (int v = 0; v < graph.nodes; v++) {
        bool ok = label[v] <= v && label[label[v]] == label[v];
        for (int e = graph.row[v]; e < graph.row[v + 1]; e++) {
            ok = ok && label[graph.adj[e]] == label[v];
        }
        if (!ok) {
            fprintf(stderr, "wrong label of vertex %d\n", v);
            return 1;
        }
    }
#endif
    printf("labelled %d vertices\n", graph.nodes);
    return 0;
}
