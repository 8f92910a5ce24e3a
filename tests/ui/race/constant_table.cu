// verdict: race
// race: lines 19 and 21, variable signal, global
// FIR filter with its five weights in constant memory.
// Filtering in place mixes filtered and unfiltered neighbours.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int taps = 5;

__constant__ int c_weight[taps];

__global__ void filter(int* signal, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 2 * taps <= n) {
        int sum = 0;
        for (int k = 0; k < taps; k++) {
            sum += c_weight[k] * signal[i + taps + k];
        }
        signal[i] = sum;
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
    filter<<<(n + 63) / 64, 64>>>(d_signal, n);
    cudaMemcpy(filtered.data(), d_signal, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_signal);
    printf("filtered %d samples\n", n);
    return 0;
}
