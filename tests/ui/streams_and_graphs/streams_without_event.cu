// verdict: race
// race: lines 12 and 18, variable data, global
// repaired: clean
// One stream fills an array and another one sums it up. Nothing makes the second one wait.
// Repaired: an event makes the second one wait.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(int* data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i % 7;
}

__global__ void sum(const int* data, int* total, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, data[i]);
}

int main()
{
    const int n = 1000;
    int *data, *total, result = 0;
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&total, sizeof(int));
    cudaMemset(data, 0, n * sizeof(int));
    cudaMemset(total, 0, sizeof(int));
    cudaStream_t producer, consumer;
    cudaStreamCreate(&producer);
    cudaStreamCreate(&consumer);
    cudaEvent_t filled;
    cudaEventCreate(&filled);
    fill<<<4, 256, 0, producer>>>(data, n);
    cudaEventRecord(filled, producer);
#ifdef REPAIRED
    cudaStreamWaitEvent(consumer, filled, 0);
#endif
    sum<<<4, 256, 0, consumer>>>(data, total, n);
    cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
    cudaEventDestroy(filled);
    cudaStreamDestroy(producer);
    cudaStreamDestroy(consumer);
    cudaFree(data);
    cudaFree(total);
    printf("%d\n", result);
    return 0;
}
