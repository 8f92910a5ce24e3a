// verdict: race
// race: lines 15 and 44, variable weights, global
// repaired: clean
// The weights of the next step are copied into constant memory on one stream, while a kernel on another
// stream may still read those of this step.
// Repaired: the copy waits for an event that is recorded after the kernel.
#include <cstdio>
#include <cuda_runtime.h>

__constant__ int weights[4];

__global__ void apply(const int* in, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * weights[i % 4];
}

int main()
{
    const int n = 1000;
    const int first[4] = {1, 2, 3, 4};
    int *second, *in, *out, results[2];
    cudaMallocHost(&second, 4 * sizeof(int));
    for (int i = 0; i < 4; ++i) second[i] = 10 * first[i];
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, 2 * n * sizeof(int));
    cudaMemset(in, 1, n * sizeof(int));
    cudaMemcpyToSymbol(weights, first, sizeof first);
    cudaDeviceSynchronize();

    cudaStream_t copies, kernels;
    cudaEvent_t read;
    cudaStreamCreate(&copies);
    cudaStreamCreate(&kernels);
    cudaEventCreate(&read);
    apply<<<4, 256, 0, kernels>>>(in, out, n);
#ifdef REPAIRED
    cudaEventRecord(read, kernels);
    cudaStreamWaitEvent(copies, read, 0);
#else


#endif
    cudaMemcpyToSymbolAsync(weights, second, sizeof first, 0, cudaMemcpyHostToDevice, copies);
    cudaStreamSynchronize(copies);
    apply<<<4, 256, 0, kernels>>>(in, out + n, n);
    cudaMemcpyAsync(&results[0], out + 1, sizeof(int), cudaMemcpyDeviceToHost, kernels);
    cudaMemcpyAsync(&results[1], out + n + 1, sizeof(int), cudaMemcpyDeviceToHost, kernels);
    cudaStreamSynchronize(kernels);
    printf("%d\n", results[1] / results[0]);
    return results[1] == 10 * results[0] ? 0 : 1;
}
