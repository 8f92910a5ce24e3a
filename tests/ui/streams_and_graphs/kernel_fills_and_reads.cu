// verdict: race
// race: lines 19 and 15, variable data, global
// race: lines 19 and 16, variable data, global
// repaired: clean
// nvcc: -rdc=true
// A kernel fills memory by cudaMemsetAsync, which is work of its block's stream and may run at any time from then on,
// and then changes the same memory. A copy into the same stream comes after the fill.
// Repaired: the kernel changes the memory first.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void prepare(int* data, int* copy)
{
#ifndef REPAIRED
    cudaMemsetAsync(data, 0, 64 * sizeof(int), 0);
    cudaMemcpyAsync(copy, data, 64 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
#endif
    // Nothing waits for what the kernel has started.
    data[5] = 3;
#ifdef REPAIRED
    cudaMemsetAsync(data, 0, 64 * sizeof(int), 0);
    cudaMemcpyAsync(copy, data, 64 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
#endif
}

int main()
{
    int *data, *copy;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMalloc(&copy, 64 * sizeof(int));
    prepare<<<1, 1>>>(data, copy);
    int result[64];
    cudaMemcpy(result, copy, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("%d\n", result[5]);
    cudaFree(data);
    cudaFree(copy);
    return result[5];
}
