// verdict: race
// race: lines 15 and 24, variable data, global
// repaired: clean
// As dependent_launch_reads_early, with inline PTX. The second kernel writes to an array that the first
// one still reads.
// Repaired: it waits before it writes.
// nvcc: -arch=sm_90
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sum(const int* data, int* total)
{
    asm volatile("griddepcontrol.launch_dependents;");
    // Read by all threads.
    atomicAdd(total, data[threadIdx.x]);
}

__global__ void clear(int* data)
{
#ifdef REPAIRED
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    // For the next round.
    data[threadIdx.x] = 0;
}

int main()
{
    const int n = 64;
    int *data, *total, host[n], result = 0;
    for (int i = 0; i < n; ++i) host[i] = 2;
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&total, sizeof(int));
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(total, 0, sizeof(int));
    sum<<<1, n>>>(data, total);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(n);
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, clear, data);
    // A launch without the attribute waits for everything.
    sum<<<1, n>>>(data, total);
    cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    return result == 128 ? 0 : 1;
}
