// verdict: race
// race: lines 22 and 22, variable result, global
// repaired: clean
// Dot product with a fixed grid: every thread strides over the vectors.
// All threads add their partial products to one result with a plain +=.
// Repaired: the partial products are added atomically.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void dot(const int* a, const int* b, long long n, unsigned long long* result)
{
    unsigned long long part = 0;
    const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        part += a[i] * b[i];
    }
#ifdef REPAIRED
    atomicAdd(result, part);
#else
    *result += part;
#endif
}

int main()
{
    const int n = 5000;
    std::vector<int> a(n), b(n);
    unsigned long long expected = 0, result = 0;
    for (int i = 0; i < n; i++) {
        a[i] = i % 12;
        b[i] = i % 35;
        expected += a[i] * b[i];
    }
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    const int blocks = std::max(2, std::min(properties.multiProcessorCount, 6));
    int *d_a, *d_b;
    unsigned long long* d_result;
    cudaMalloc(&d_a, n * sizeof(int));
    cudaMalloc(&d_b, n * sizeof(int));
    cudaMalloc(&d_result, sizeof(*d_result));
    cudaMemcpy(d_a, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_result, 0, sizeof(*d_result));
    dot<<<blocks, 128>>>(d_a, d_b, n, d_result);
    cudaMemcpy(&result, d_result, sizeof(result), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_result);
#ifdef REPAIRED
    if (result != expected) {
        fprintf(stderr, "%llu instead of %llu\n", result, expected);
        return 1;
    }
#endif
    printf("dot product of %d elements\n", n);
    return 0;
}
