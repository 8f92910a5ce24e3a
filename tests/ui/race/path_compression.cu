// verdict: race
// race: lines 18 and 20, variable parent, global
// Path compression in a forest of parent links: every vertex is linked to its root.
// Links are shortened in place while other threads still follow them.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void compress(int* parent, int n)
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
    parent[v] = root;
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
    compress<<<(n + 63) / 64, 64>>>(d_parent, n);
    cudaMemcpy(compressed.data(), d_parent, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_parent);
    printf("compressed %d paths\n", n);
    return 0;
}
