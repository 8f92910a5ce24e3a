// verdict: race
// race: lines 25 and 25, variable d_total, global
// race: lines 26 and 26, variable d_bins, global
// repaired: clean
// Counters kept in file-scope __device__ variables, a scalar and an array.
// Both are updated by plain read-modify-writes of many threads.
// Repaired: both are updated atomically.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int bins = 32;

__device__ int d_total;
__device__ unsigned int d_bins[bins];

__global__ void tally(const int* in, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#ifdef REPAIRED
        atomicAdd(&d_total, in[i]);
        atomicAdd(&d_bins[in[i] % bins], 1u);
#else
        d_total += in[i];
        d_bins[in[i] % bins]++;
#endif
    }
}

int main()
{
    const int n = 320;
    std::vector<int> in(n);
    std::vector<unsigned int> counts(bins), expected(bins);
    int total = 0, expected_total = 0;
    for (int i = 0; i < n; i++) {
        in[i] = (i * 11) % 70;
        expected[in[i] % bins]++;
        expected_total += in[i];
    }
    int* d_in;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(d_total, &total, sizeof(int));
    tally<<<(n + 63) / 64, 64>>>(d_in, n);
    cudaMemcpyFromSymbol(&total, d_total, sizeof(int));
    cudaMemcpyFromSymbol(counts.data(), d_bins, bins * sizeof(unsigned int));
    cudaFree(d_in);
#ifdef REPAIRED
    if (total != expected_total || counts != expected) {
        fprintf(stderr, "wrong counters\n");
        return 1;
    }
#endif
    printf("tallied %d numbers\n", n);
    return 0;
}
