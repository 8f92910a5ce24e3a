// verdict: clean
// args: graph:dag_200n_400e
// more-args: graph:rmat_65536n
// Connected components by label propagation, one launch a round, until no label changes.
// Labels of the last and of this round are kept apart; the flag is set atomically.
#include <cstdio>
#include <utility>
#include <vector>
#include <cuda_runtime.h>
#include "../common/egr.h"

__device__ int label_of(const int* label, int v)
{
    return label[v];
}

__global__ void propagate(const int* row, const int* adj, const int* label, int* next, int* changed,
                          int nodes)
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
    next[v] = best;
    if (best < mine) {
        atomicExch(changed, 1);
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
    int* d_next;
    cudaMalloc(&d_next, bytes);
    const int threads = 128, blocks = (graph.nodes + threads - 1) / threads;
    int changed = 1;
    while (changed) {
        cudaMemset(d_changed, 0, sizeof(int));
        propagate<<<blocks, threads>>>(d_row, d_adj, d_label, d_next, d_changed, graph.nodes);
        std::swap(d_label, d_next);
        cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(label.data(), d_label, bytes, cudaMemcpyDeviceToHost);
    for (int* pointer : {d_row, d_adj, d_label, d_changed}) {
        cudaFree(pointer);
    }
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
    printf("labelled %d vertices\n", graph.nodes);
    return 0;
}
