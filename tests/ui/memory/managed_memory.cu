// verdict: race
// race: lines 15 and 26, variable price, global
// repaired: clean
// Smooths prices kept in managed memory, which host and device both use.
// One launch stores new prices and reads the neighbours' new prices.
// Repaired: new prices and their averages are computed by two launches.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void raise_prices(const int* base, int* price, int* average, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int raised = base[i] + base[i] / 10;
        price[i] = raised;
#ifdef REPAIRED
    }
}

__global__ void average_prices(const int* price, int* average, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        average[i] = (price[i] + price[(i + 1) % n]) / 2;
#else
        average[i] = (raised + price[(i + 1) % n]) / 2;
#endif
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
#ifdef REPAIRED
    average_prices<<<blocks, threads>>>(price, average, n);
#endif
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        const int a = base[i] + base[i] / 10;
        const int b = base[(i + 1) % n] + base[(i + 1) % n] / 10;
        if (price[i] != a || average[i] != (a + b) / 2) {
            fprintf(stderr, "wrong price %d\n", i);
            return 1;
        }
    }
#endif
    cudaFree(base);
    cudaFree(price);
    cudaFree(average);
    printf("raised %d prices\n", n);
    return 0;
}
