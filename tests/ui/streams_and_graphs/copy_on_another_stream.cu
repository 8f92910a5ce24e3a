// verdict: race
// race: lines 29 and 14, variable data, global
// repaired: clean
// A copy from pinned memory on one stream fills the array that a kernel on another stream reads. The
// host does not wait for such a copy.
// Repaired: the kernel's stream waits for an event that is recorded after the copy.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(const int* data, int* total, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // Reads what the copy writes.
    if (i < n) atomicAdd(total, data[i]);
}

int main()
{
    const int n = 1000;
    int *host, *data, *total, result = 0;
    cudaMallocHost(&host, n * sizeof(int));
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&total, sizeof(int));
    cudaMemset(total, 0, sizeof(int));
    for (int i = 0; i < n; ++i) host[i] = i % 7;
    cudaStream_t copies, kernels;
    cudaStreamCreate(&copies);
    cudaStreamCreate(&kernels);
    cudaMemcpyAsync(data, host, n * sizeof(int), cudaMemcpyHostToDevice, copies);
#ifdef REPAIRED
    cudaEvent_t copied;
    cudaEventCreate(&copied);
    cudaEventRecord(copied, copies);
    cudaStreamWaitEvent(kernels, copied, 0);
#endif
    sum<<<4, 256, 0, kernels>>>(data, total, n);
    cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    return result == 2997 ? 0 : 1;
}
