// verdict: race
// race: lines 24 and 29, variable parent, global
// repaired: clean
// Path compression in a forest of parent links: every vertex is linked to its root.
// Links are shortened in place while other threads still follow them.
// Repaired: links are followed in one array and the short ones written to another.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#ifdef REPAIRED
__global__ void compress(const int* parent, int* compressed, int n)
#else
__global__ void compress(int* parent, int n)
#endif
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) {
        return;
    }
    int root = v;
    for (int up = -1; up != root;) {
        up = root;
        root = parent[up];
    }
#ifdef REPAIRED
    compressed[v] = root;
#else
    parent[v] = root;
#endif
}

int main()
{
    const int n = 500, trees = 3;
    std::vector<int> parent(n), compressed(n);
    for (int v = 0; v < n; v++) {
        // Three binary trees, interleaved.
        parent[v] = v < trees ? v : (v / trees - 1) / 2 * trees + v % trees;
    }
    int* d_parent;
    cudaMalloc(&d_parent, n * sizeof(int));
    cudaMemcpy(d_parent, parent.data(), n * sizeof(int), cudaMemcpyHostToDevice);
#ifdef REPAIRED
    int* d_compressed;
    cudaMalloc(&d_compressed, n * sizeof(int));
    compress<<<(n + 63) / 64, 64>>>(d_parent, d_compressed, n);
    cudaMemcpy(compressed.data(), d_compressed, n * sizeof(int), cudaMemcpyDeviceToHost);
#else
    compress<<<(n + 63) / 64, 64>>>(d_parent, n);
    cudaMemcpy(compressed.data(), d_parent, n * sizeof(int), cudaMemcpyDeviceToHost);
#endif
    cudaFree(d_parent);
#ifdef REPAIRED
    cudaFree(d_compressed);
    for (int v = 0; v < n; v++) {
        if (compressed[v] != v % trees) {
            fprintf(stderr, "vertex %d: root %d instead of %d\n", v, compressed[v], v % trees);
            return 1;
        }
    }
#endif
    printf("compressed %d paths\n", n);
    return 0;
}
