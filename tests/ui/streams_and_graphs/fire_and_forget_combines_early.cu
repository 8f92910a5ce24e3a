// verdict: race
// race: lines 15 and 20, variable partial, global
// repaired: clean
// nvcc: -rdc=true
// A kernel launches one kernel for each half of its input, and one that combines their results. All
// three are fired and forgotten, so the last one may begin before the others have ended.
// Repaired: the last one is a tail launch, which waits for the parent and all its other children.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum_half(const int* in, int* partial, int n)
{
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += in[i];
    partial[0] = sum;
}

__global__ void combine(const int* partial, int* total)
{
    *total = partial[0] + partial[1];
}

__global__ void sum(const int* in, int* partial, int* total, int n)
{
    sum_half<<<1, 1, 0, cudaStreamFireAndForget>>>(in, partial, n / 2);
    sum_half<<<1, 1, 0, cudaStreamFireAndForget>>>(in + n / 2, partial + 1, n / 2);
#ifdef REPAIRED
    combine<<<1, 1, 0, cudaStreamTailLaunch>>>(partial, total);
#else
    combine<<<1, 1, 0, cudaStreamFireAndForget>>>(partial, total);
#endif
}

int main()
{
    const int n = 64;
    int *in, *partial, *total;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMalloc(&partial, 2 * sizeof(int));
    cudaMallocManaged(&total, sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i;
    sum<<<1, 1>>>(in, partial, total, n);
    cudaDeviceSynchronize();
    std::printf("%d\n", *total);
    return *total != n * (n - 1) / 2;
}
