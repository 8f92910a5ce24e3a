// verdict: race
// race: lines 17 and 23, variable product, global
// repaired: clean
// Multiplies doubles into one product by a loop around compare-and-swap.
// The loop starts from a plain read of what other threads swap atomically.
// Repaired: the loop starts from a guess; every read of the product is a compare-and-swap.
#include <cmath>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__device__ void atomic_multiply(unsigned long long* product, double factor)
{
#ifdef REPAIRED
    unsigned long long seen = __double_as_longlong(1.0);
#else
    unsigned long long seen = *product;
#endif
    unsigned long long assumed;
    do {
        assumed = seen;
        const double next = __longlong_as_double(assumed) * factor;
        seen = atomicCAS(product, assumed, __double_as_longlong(next));
    } while (seen != assumed);
}

__global__ void multiply(const double* in, unsigned long long* product, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomic_multiply(product, in[i]);
    }
}

int main()
{
    const int n = 250;
    std::vector<double> in(n);
    double product = 1.0, expected = 1.0;
    for (int i = 0; i < n; i++) {
        in[i] = i % 2 == 0 ? 1.0 + i / 1000.0 : 1.0 / (1.0 + i / 1000.0);
        expected *= in[i];
    }
    double* d_in;
    unsigned long long* d_product;
    cudaMalloc(&d_in, n * sizeof(double));
    cudaMalloc(&d_product, sizeof(double));
    cudaMemcpy(d_in, in.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(d_product, &product, sizeof(double), cudaMemcpyHostToDevice);
    multiply<<<(n + 63) / 64, 64>>>(d_in, d_product, n);
    cudaMemcpy(&product, d_product, sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_product);
#ifdef REPAIRED
    if (std::fabs(product - expected) > 1e-9 * expected) {
        fprintf(stderr, "%f instead of %f\n", product, expected);
        return 1;
    }
#endif
    printf("multiplied %d numbers\n", n);
    return 0;
}
