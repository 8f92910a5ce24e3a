// verdict: race
// race: lines 13 and 14, variable price, global
// Smooths prices kept in managed memory, which host and device both use.
// One launch stores new prices and reads the neighbours' new prices.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void raise_prices(const int* base, int* price, int* average, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int raised = base[i] + base[i] / 10;
        price[i] = raised;
        average[i] = (raised + price[(i + 1) % n]) / 2;
    }
}

int main()
{
    const int n = 330, threads = 64, blocks = (n + threads - 1) / threads;
    int *base, *price, *average;
    cudaMallocManaged(&base, n * sizeof(int));
    cudaMallocManaged(&price, n * sizeof(int));
    cudaMallocManaged(&average, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        base[i] = 100 + (i * 9) % 50;
        price[i] = 0;
    }
    raise_prices<<<blocks, threads>>>(base, price, average, n);
    cudaDeviceSynchronize();
    cudaFree(base);
    cudaFree(price);
    cudaFree(average);
    printf("raised %d prices\n", n);
    return 0;
}
