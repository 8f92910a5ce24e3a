// verdict: race
// race: lines 20 and 20, variable bins, global
// repaired: clean
// All blocks count in the same bins, by __nv_atomic_fetch_add of block scope: additions by different blocks are
// not atomic to each other.
// Repaired: the additions have device scope.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int bin_count = 8;
__device__ unsigned bins[bin_count];

__global__ void count(const unsigned* keys)
{
    const unsigned key = keys[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef REPAIRED
    __nv_atomic_fetch_add(&bins[key % bin_count], 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
#else

    __nv_atomic_fetch_add(&bins[key % bin_count], 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
#endif
}

int main()
{
    constexpr int n = 4 * 64;
    unsigned keys[n];
    for (int i = 0; i < n; i++) keys[i] = i * 7 + 3;
    unsigned* d_keys;
    cudaMalloc(&d_keys, sizeof keys);
    cudaMemcpy(d_keys, keys, sizeof keys, cudaMemcpyHostToDevice);
    count<<<4, 64>>>(d_keys);
    unsigned result[bin_count];
    cudaMemcpyFromSymbol(result, bins, sizeof result);
    cudaFree(d_keys);
    for (int i = 0; i < bin_count; i++) {
        if (result[i] != n / bin_count) return 1;
    }
    printf("counted\n");
    return 0;
}
