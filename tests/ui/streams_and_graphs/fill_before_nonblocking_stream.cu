// verdict: race
// race: lines 24 and 13, variable counts, global
// repaired: clean
// cudaMemset fills device memory on the default stream and does not make the host wait; the kernel
// is on a stream that does not wait for the default stream.
// Repaired: the fill is on the stream of the kernel.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void count(const int* data, int* counts, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[data[i] % 16], 1);
}

int main()
{
    const int n = 512;
    int *data, *counts, result[16];
    cudaStream_t stream;
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&counts, 16 * sizeof(int));
#ifndef REPAIRED
    cudaMemset(counts, 0, 16 * sizeof(int));
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
#else
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemsetAsync(counts, 0, 16 * sizeof(int), stream);
#endif
    cudaMemsetAsync(data, 0, n * sizeof(int), stream);
    count<<<2, 256, 0, stream>>>(data, counts, n);
    cudaStreamSynchronize(stream);
    cudaMemcpy(result, counts, 16 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result[0]);
    return result[0] == n ? 0 : 1;
}
