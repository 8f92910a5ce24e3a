// verdict: clean
// Two streams write the same array in turns. In between, there is work of all kinds in the default
// stream, which waits for both, and for which both wait.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int* data, int value)
{
    data[threadIdx.x] += value;
}

int main()
{
    const int n = 64;
    int *data, *from, *to, result = 0;
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&from, n * sizeof(int));
    cudaMalloc(&to, n * sizeof(int));
    cudaMemset(data, 0, n * sizeof(int));
    cudaMemset(from, 0, n * sizeof(int));
    cudaStream_t one, other;
    cudaStreamCreate(&one);
    cudaStreamCreate(&other);
    add<<<1, n, 0, one>>>(data, 1);
    cudaMemset(to, 0, n * sizeof(int));
    add<<<1, n, 0, other>>>(data, 2);
    cudaMemsetAsync(to, 0, n * sizeof(int));
    add<<<1, n, 0, one>>>(data, 3);
    cudaMemcpyAsync(to, from, n * sizeof(int), cudaMemcpyDeviceToDevice);
    add<<<1, n, 0, other>>>(data, 4);
    add<<<1, n>>>(to, 1);
    add<<<1, n, 0, one>>>(data, 5);
    int* scratch;
    cudaMallocAsync(&scratch, sizeof(int), 0);
    add<<<1, n, 0, other>>>(data, 6);
    cudaFreeAsync(scratch, 0);
    add<<<1, n, 0, one>>>(data, 7);
    cudaLaunchHostFunc(0, [](void*) {}, nullptr);
    add<<<1, n, 0, other>>>(data, 8);
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event);
    add<<<1, n, 0, one>>>(data, 9);
    cudaMemcpy(&result, data, sizeof(int), cudaMemcpyDeviceToHost);
    cudaEventDestroy(event);
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
    cudaFree(data);
    cudaFree(from);
    cudaFree(to);
    if (result != 45) {
        fprintf(stderr, "%d instead of 45\n", result);
        return 1;
    }
    return 0;
}
