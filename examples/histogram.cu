// Counts how often each digit occurs. The counts are sometimes too small.
//
//     cargo run --release -- check examples/histogram.cu
//
// histogram_fixed.cu is the same program, repaired.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int digits = 10;

__global__ void histogram(const int* numbers, int n, int* counts)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        counts[numbers[i] % digits]++;
    }
}

int main()
{
    const int n = 1000;
    int *numbers, *counts;
    cudaMallocManaged(&numbers, n * sizeof(int));
    cudaMallocManaged(&counts, digits * sizeof(int));
    for (int i = 0; i < n; i++) {
        numbers[i] = i;
    }
    for (int d = 0; d < digits; d++) {
        counts[d] = 0;
    }
    histogram<<<(n + 127) / 128, 128>>>(numbers, n, counts);
    cudaDeviceSynchronize();
    for (int d = 0; d < digits; d++) {
        printf("digit %d: %d times (should be %d)\n", d, counts[d], n / digits);
    }
    cudaFree(numbers);
    cudaFree(counts);
    return 0;
}
