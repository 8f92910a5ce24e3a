// verdict: possible
// possible: lines 27 and 14, variable data, global
// repaired: clean
// cudaMemcpy from pageable memory returns when the data are in a buffer of the driver; the transfer to
// the device may still run (CUDA Runtime API, "API synchronization behavior"). The kernel's stream does
// not wait for the default stream. The transfer may also be done, so this is only a possible race.
// Repaired: the host waits for the default stream.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(const int* data, int* total)
{
    // Reads what the copy writes.
    atomicAdd(total, data[threadIdx.x]);
}

int main()
{
    const int n = 64;
    int host[n], *data, *total, result = 0;
    for (int i = 0; i < n; ++i) host[i] = 1;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&total, sizeof(int));
    cudaMemsetAsync(total, 0, sizeof(int), stream);
    cudaMemcpy(data, host, n * sizeof(int), cudaMemcpyHostToDevice);
#ifdef REPAIRED
    cudaStreamSynchronize(cudaStreamLegacy);
#endif
    add<<<1, n, 0, stream>>>(data, total);
    cudaStreamSynchronize(stream);
    cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    return result == n ? 0 : 1;
}
