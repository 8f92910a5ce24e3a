// verdict: race
// race: lines 12 and 18, variable data, global
// repaired: clean
// The per-thread default stream takes turns with the legacy default stream only, so a kernel on another
// stream is not ordered with a kernel on it.
// Repaired: the host waits for its per-thread default stream.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(int* data)
{
    data[threadIdx.x] = threadIdx.x;
}

__global__ void twice(const int* data, int* out)
{
    // Reads what the other kernel writes.
    out[threadIdx.x] = 2 * data[threadIdx.x];
}

int main()
{
    const int n = 64;
    int *data, *out, result[n];
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    fill<<<1, n, 0, cudaStreamPerThread>>>(data);
#ifdef REPAIRED
    cudaStreamSynchronize(cudaStreamPerThread);
#endif
    twice<<<1, n, 0, stream>>>(data, out);
    cudaStreamSynchronize(stream);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[7]);
    return result[7] == 14 ? 0 : 1;
}
