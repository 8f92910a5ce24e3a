// verdict: race
// race: lines 15 and 31, variable next, global
// repaired: clean
// nvcc: -rdc=true
// A kernel launches another one that fills a level, and reads the level itself: a kernel cannot wait
// for its children.
// Repaired: a tail launch reads it.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int n = 64;

__global__ void fill(int* next)
{
    next[threadIdx.x] = 2 * threadIdx.x;
}

__global__ void count(const int* next, int* total)
{
    atomicAdd(total, next[threadIdx.x]);
}

__global__ void expand(int* next, int* total)
{
    int t = threadIdx.x;
    if (t == 0) fill<<<1, n>>>(next);
    __syncthreads();
#ifdef REPAIRED
    if (t == 0) count<<<1, n, 0, cudaStreamTailLaunch>>>(next, total);
#else
    atomicAdd(total, next[t]);
#endif
}

int main()
{
    int *next, *total;
    cudaMalloc(&next, n * sizeof(int));
    cudaMemset(next, 0, n * sizeof(int));
    cudaMallocManaged(&total, sizeof(int));
    *total = 0;
    expand<<<1, n>>>(next, total);
    cudaDeviceSynchronize();
    std::printf("%d\n", *total);
#ifdef REPAIRED
    return *total != n * (n - 1);
#else
    return 0;
#endif
}
