// verdict: race
// race: lines 30 and 37, variable , global
// repaired: clean
// One stream copies an array within the device, another one copies the result to the host. Nothing
// orders the two copies.
// Repaired: the second copy is on the stream of the first one.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void number(int* data)
{
    data[threadIdx.x] = threadIdx.x;
}

int main()
{
    const int n = 256;
    int *host, *first, *second;
    cudaMallocHost(&host, n * sizeof(int));
    cudaMalloc(&first, n * sizeof(int));
    cudaMalloc(&second, n * sizeof(int));
    cudaStream_t inner, outer;
    cudaStreamCreate(&inner);
    cudaStreamCreate(&outer);
    number<<<1, n, 0, inner>>>(first);
    cudaStreamSynchronize(inner);

    // Both streams read `first`; only `second` is written.
    cudaMemcpyAsync(host, first, n * sizeof(int), cudaMemcpyDeviceToHost, outer);
    cudaMemcpyAsync(second, first, n * sizeof(int), cudaMemcpyDeviceToDevice, inner);
#ifdef REPAIRED
    cudaStreamSynchronize(outer);
    cudaStream_t last = inner;
#else
    cudaStream_t last = outer;
#endif
    cudaMemcpyAsync(host, second, n * sizeof(int), cudaMemcpyDeviceToHost, last);
    cudaStreamSynchronize(last);
    printf("%d\n", host[10]);
    return host[10] == 10 ? 0 : 1;
}
