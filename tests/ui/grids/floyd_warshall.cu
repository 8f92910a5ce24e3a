// verdict: race
// race: lines 25 and 25, variable distance, global
// repaired: clean
// All shortest paths (Floyd and Warshall), one launch for every intermediate vertex.
// Every thread stores its element, also those of row k and column k, which others read.
// Repaired: only improvements are stored; row k and column k never improve in step k.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int n = 48;

__global__ void relax_through(int* distance, int k)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int ij = i * n + j;
#ifdef REPAIRED
    const int through_k = distance[i * n + k] + distance[k * n + j];
    if (through_k < distance[ij]) {
        distance[ij] = through_k;
    }
#else
    distance[ij] = min(distance[ij], distance[i * n + k] + distance[k * n + j]);
#endif
}

int main()
{
    std::vector<int> distance(n * n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            distance[i * n + j] = i == j ? 0 : 1 + (i * 31 + j * 17) % 200;
        }
    }
    std::vector<int> expected = distance;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                const int through_k = expected[i * n + k] + expected[k * n + j];
                expected[i * n + j] = std::min(expected[i * n + j], through_k);
            }
        }
    }
    int* d_distance;
    cudaMalloc(&d_distance, n * n * sizeof(int));
    cudaMemcpy(d_distance, distance.data(), n * n * sizeof(int), cudaMemcpyHostToDevice);
    const dim3 block(16, 16);
    const dim3 grid(n / 16, n / 16);
    for (int k = 0; k < n; k++) {
        relax_through<<<grid, block>>>(d_distance, k);
    }
    cudaMemcpy(distance.data(), d_distance, n * n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_distance);
#ifdef REPAIRED
    if (distance != expected) {
        fprintf(stderr, "wrong distances\n");
        return 1;
    }
#endif
    printf("shortest paths of %d vertices\n", n);
    return 0;
}
