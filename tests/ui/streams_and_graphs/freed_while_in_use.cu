// verdict: race
// race: lines 13 and 39, variable data, global
// repaired: clean
// A stream releases memory that a kernel on another stream may still use. What is allocated next, on any
// stream, may get the same memory.
// Repaired: the release waits for an event that is recorded after the kernel.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(const int* data, int* total)
{
    // The last use of the array.
    atomicAdd(total, data[threadIdx.x]);
}

__global__ void fill(int* data, int value)
{
    data[threadIdx.x] = value;
}

int main()
{
    const int n = 128;
    int *data, *total, *reused, result = 0;
    cudaStream_t first, second;
    cudaEvent_t filled, summed;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&filled);
    cudaEventCreate(&summed);
    cudaMalloc(&total, sizeof(int));
    cudaMemset(total, 0, sizeof(int));
    cudaMallocAsync(&data, n * sizeof(int), first);
    fill<<<1, n, 0, first>>>(data, 2);
    cudaEventRecord(filled, first);
    cudaStreamWaitEvent(second, filled, 0);
    sum<<<1, n, 0, second>>>(data, total);
#ifndef REPAIRED
    cudaFreeAsync(data, first);
#else
    cudaEventRecord(summed, second);
    cudaStreamWaitEvent(first, summed, 0);
    cudaFreeAsync(data, first);
#endif
    // The same memory, in the order of its stream.
    cudaMallocAsync(&reused, n * sizeof(int), first);
    fill<<<1, n, 0, first>>>(reused, 3);
    cudaFreeAsync(reused, first);
    cudaDeviceSynchronize();
    cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    return result == 2 * n ? 0 : 1;
}
