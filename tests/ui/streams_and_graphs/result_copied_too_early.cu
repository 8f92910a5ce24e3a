// verdict: race
// race: lines 12 and 35, variable data, global
// repaired: clean
// A stream copies the result to the host that a kernel on another stream still computes.
// Repaired: the copy waits for an event that is recorded after the kernel.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void square(int* data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i * i;
}

#define CHECK(call)                                       \
    do {                                                  \
        const cudaError_t error = (call);                 \
        if (error != cudaSuccess) {                       \
            printf("%s\n", cudaGetErrorString(error));    \
            return 1;                                     \
        }                                                 \
    } while (0)

int main()
{
    const int n = 1000;
    int *host, *data;
    cudaStream_t kernels, copies;
    CHECK(cudaMallocHost(&host, n * sizeof(int)));
    CHECK(cudaMalloc(&data, n * sizeof(int)));
    CHECK(cudaStreamCreate(&kernels));
    CHECK(cudaStreamCreate(&copies));
    square<<<4, 256, 0, kernels>>>(data, n);
#ifndef REPAIRED
    CHECK(cudaMemcpyAsync(host, data, n * sizeof(int), cudaMemcpyDeviceToHost, copies));
#else
    cudaEvent_t squared;
    CHECK(cudaEventCreate(&squared));
    CHECK(cudaEventRecord(squared, kernels));
    CHECK(cudaStreamWaitEvent(copies, squared, 0));
    CHECK(cudaMemcpyAsync(host, data, n * sizeof(int), cudaMemcpyDeviceToHost, copies));
#endif
    CHECK(cudaStreamSynchronize(copies));
    printf("%d\n", host[999]);
    return host[999] == 998001 ? 0 : 1;
}
