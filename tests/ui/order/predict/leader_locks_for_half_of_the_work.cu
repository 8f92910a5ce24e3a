// verdict: possible
// possible: lines 36 and 39, variable rows, global
// predict: 8
// repaired: clean
// One thread takes a lock for its block, and all threads of the block write a row of sums. The row that
// a block only reads back is written before the lock is taken, and read after it is released.
// Repaired: all of that happens between the two barriers that follow and precede the lock.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 64;
__device__ int lock = 0;
__device__ int rows[threads], sums[threads], copies[threads];

__device__ void take()
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncthreads();
}

__device__ void give()
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(&lock, 0);
    }
}

#ifndef REPAIRED
__device__ void outside(int t) {
    if (blockIdx.x == 0) rows[t] = t;
}
__device__ void afterwards(int t) {
    if (blockIdx.x == 1) copies[t] = rows[t];
}
#endif

__global__ void work()
{
    const int t = threadIdx.x;
#ifndef REPAIRED
    outside(t);
#endif
    take();
    sums[t] += t;
#ifdef REPAIRED
    if (blockIdx.x == 0) rows[t] = t;
    if (blockIdx.x == 1) copies[t] = rows[t];
#endif
    give();
#ifndef REPAIRED
    afterwards(t);
#endif
}

int main()
{
    work<<<2, threads>>>();
    int result[threads];
    cudaMemcpyFromSymbol(result, sums, sizeof result);
    for (int t = 0; t < threads; ++t) {
        if (result[t] != 2 * t) return 1;
    }
    printf("%d\n", result[1]);
    return 0;
}
