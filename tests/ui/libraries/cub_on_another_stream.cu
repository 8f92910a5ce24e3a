// verdict: race
// race: lines 13 and 34, variable data, global
// repaired: clean
// CUB sums up on one stream what a kernel on another stream still writes. The second call of the function
// does the work, on the stream that is its last argument, and the host does not wait for it.
// Repaired: an event makes the stream of the sum wait.
#include <cstdio>
#include <cub/device/device_reduce.cuh>

__global__ void fill(int* data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i % 7;
}

int main()
{
    const int n = 1000;
    int *data, *sum, result = 0;
    void* storage = nullptr;
    size_t bytes = 0;
    cudaStream_t kernels, sums;
    cudaEvent_t filled;
    cudaStreamCreate(&kernels);
    cudaStreamCreate(&sums);
    cudaEventCreate(&filled);
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cub::DeviceReduce::Sum(storage, bytes, data, sum, n, sums);
    cudaMalloc(&storage, bytes);
    fill<<<4, 256, 0, kernels>>>(data, n);
#ifndef REPAIRED

    cub::DeviceReduce::Sum(storage, bytes, data, sum, n, sums);
#else
    cudaEventRecord(filled, kernels);
    cudaStreamWaitEvent(sums, filled, 0);
    cub::DeviceReduce::Sum(storage, bytes, data, sum, n, sums);
#endif
    cudaMemcpyAsync(&result, sum, sizeof(int), cudaMemcpyDeviceToHost, sums);
    cudaStreamSynchronize(sums);
    printf("%d\n", result);
    return result == 2997 ? 0 : 1;
}
