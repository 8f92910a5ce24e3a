// verdict: race
// race: lines 25 and 30, variable signal, global
// repaired: clean
// FIR filter with its five weights in constant memory.
// Filtering in place mixes filtered and unfiltered neighbours.
// Repaired: the filtered signal is written to a second array.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int taps = 5;

__constant__ int c_weight[taps];

#ifdef REPAIRED
__global__ void filter(const int* signal, int* filtered, int n)
#else
__global__ void filter(int* signal, int n)
#endif
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 2 * taps <= n) {
        int sum = 0;
        for (int k = 0; k < taps; k++) {
            sum += c_weight[k] * signal[i + taps + k];
        }
#ifdef REPAIRED
        filtered[i] = sum;
#else
        signal[i] = sum;
#endif
    }
}

int main()
{
    const int n = 400;
    const int weight[taps] = {1, 4, 6, 4, 1};
    std::vector<int> signal(n), filtered(n);
    for (int i = 0; i < n; i++) {
        signal[i] = (i * i) % 37;
    }
    int* d_signal;
    cudaMalloc(&d_signal, n * sizeof(int));
    cudaMemcpy(d_signal, signal.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(c_weight, weight, sizeof(weight));
#ifdef REPAIRED
    int* d_filtered;
    cudaMalloc(&d_filtered, n * sizeof(int));
    filter<<<(n + 63) / 64, 64>>>(d_signal, d_filtered, n);
    cudaMemcpy(filtered.data(), d_filtered, n * sizeof(int), cudaMemcpyDeviceToHost);
#else
    filter<<<(n + 63) / 64, 64>>>(d_signal, n);
    cudaMemcpy(filtered.data(), d_signal, n * sizeof(int), cudaMemcpyDeviceToHost);
#endif
    cudaFree(d_signal);
#ifdef REPAIRED
    cudaFree(d_filtered);
    for (int i = 0; i + 2 * taps <= n; i++) {
        int expected = 0;
        for (int k = 0; k < taps; k++) {
            expected += weight[k] * signal[i + taps + k];
        }
        if (filtered[i] != expected) {
            fprintf(stderr, "sample %d: %d instead of %d\n", i, filtered[i], expected);
            return 1;
        }
    }
#endif
    printf("filtered %d samples\n", n);
    return 0;
}
