// verdict: race
// race: lines 27 and 27, variable longest, global
// repaired: clean
// The lock's operations have device scope, but its fences are __threadfence_block().
// A release pattern synchronises with an acquire pattern if their fences are morally strong; the scope
// of these includes the own block only, so holders of two blocks do not synchronise.
// Repaired: __threadfence().
#include <cstdio>
#include <cuda_runtime.h>

__device__ int lock, longest;

__device__ void fence()
{
#ifdef REPAIRED
    __threadfence();
#else
    __threadfence_block();
#endif
}

__global__ void lengthen(const int* length)
{
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    fence();
    longest = max(longest, length[blockIdx.x]);
    fence();
    atomicExch(&lock, 0);
}

int main()
{
    const int length[] = {4, 9, 2, 7};
    int *d_length, result = 0;
    cudaMalloc(&d_length, sizeof length);
    cudaMemcpy(d_length, length, sizeof length, cudaMemcpyHostToDevice);
    lengthen<<<4, 1>>>(d_length);
    cudaMemcpyFromSymbol(&result, longest, sizeof result);
    cudaFree(d_length);
    if (result != 9) return 1;
    printf("longest %d\n", result);
    return 0;
}
