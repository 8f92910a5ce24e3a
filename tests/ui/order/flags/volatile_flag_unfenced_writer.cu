// verdict: race
// race: lines 19 and 32, variable table, global
// repaired: clean
// Block 0 fills a table and raises a volatile flag; the others wait for it, and then fence.
// The volatile store is strong but relaxed: without a fence before it there is no release pattern,
// so the reader's acquire pattern (flag, then fence) synchronises with nothing.
// Repaired: fence, then strong store is a release pattern; the barrier makes it cumulative.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int size = 32;
__device__ int table[size];
__device__ int sums[4];
__device__ volatile int filled;

__global__ void fill_and_sum()
{
    if (blockIdx.x == 0) {
        table[threadIdx.x] = 3 * threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0) {
#ifdef REPAIRED
            __threadfence();
#endif
            filled = 1;
        }
    } else if (threadIdx.x == 0) {
        while (filled == 0) {
        }
        __threadfence();
        int sum = 0;
        for (int i = 0; i < size; i++) sum += table[i];
        sums[blockIdx.x] = sum;
    }
}

int main()
{
    fill_and_sum<<<4, size>>>();
    int result[4];
    cudaMemcpyFromSymbol(result, sums, sizeof result);
    for (int b = 1; b < 4; b++) {
        if (result[b] != 3 * size * (size - 1) / 2) return 1;
    }
    printf("sum %d\n", result[1]);
    return 0;
}
