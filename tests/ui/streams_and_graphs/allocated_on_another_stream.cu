// verdict: race
// race: lines 23 and 12, variable data, global
// repaired: clean
// Memory that cudaMallocAsync() allocates on one stream is used on another stream, which does not wait
// for the allocation: the memory may not exist yet.
// Repaired: the other stream waits for an event that is recorded after the allocation.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void square(int* data)
{
    data[threadIdx.x] = threadIdx.x * threadIdx.x;
}

int main()
{
    const int n = 128;
    int *data, result = 0;
    cudaStream_t first, second;
    cudaEvent_t allocated;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaMallocAsync(&data, n * sizeof(int), first);
    cudaEventCreate(&allocated);
    cudaEventRecord(allocated, first);
#ifdef REPAIRED
    cudaStreamWaitEvent(second, allocated, 0);
#endif
    square<<<1, n, 0, second>>>(data);
    cudaMemcpyAsync(&result, data + 9, sizeof(int), cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(second);
    cudaFreeAsync(data, first);
    printf("%d\n", result);
    return result == 81 ? 0 : 1;
}
