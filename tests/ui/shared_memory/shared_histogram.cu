// verdict: race
// race: lines 26 and 26, variable s_bins, shared
// repaired: clean
// Histogram of bytes: one private histogram per block, merged at the end.
// Threads of a block increment the same bin without atomics.
// Repaired: bins are incremented atomically.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int bins = 16;
constexpr int block_size = 128;

__global__ void histogram(const unsigned char* values, int n, int* counts)
{
    __shared__ int s_bins[bins];
    for (int b = threadIdx.x; b < bins; b += blockDim.x) {
        s_bins[b] = 0;
    }
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#ifdef REPAIRED
        atomicAdd(&s_bins[values[i] / 16], 1);
#else
        s_bins[values[i] / 16]++;
#endif
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) {
        atomicAdd(&counts[b], s_bins[b]);
    }
}

int main()
{
    const int n = 1000;
    std::vector<unsigned char> values(n);
    std::vector<int> counts(bins), expected(bins);
    for (int i = 0; i < n; i++) {
        values[i] = static_cast<unsigned char>(i * 7 % 256);
        expected[values[i] / 16]++;
    }
    unsigned char* d_values;
    int* d_counts;
    cudaMalloc(&d_values, n);
    cudaMalloc(&d_counts, bins * sizeof(int));
    cudaMemcpy(d_values, values.data(), n, cudaMemcpyHostToDevice);
    cudaMemset(d_counts, 0, bins * sizeof(int));
    histogram<<<(n + block_size - 1) / block_size, block_size>>>(d_values, n, d_counts);
    cudaMemcpy(counts.data(), d_counts, bins * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_values);
    cudaFree(d_counts);
#ifdef REPAIRED
    if (counts != expected) {
        fprintf(stderr, "wrong histogram\n");
        return 1;
    }
#endif
    printf("counted %d values\n", n);
    return 0;
}
