// verdict: race
// race: lines 13 and 25, variable data, global
// repaired: clean
// One thread of the second kernel waits for the first one. The others know of that only after a barrier.
// Repaired: all threads pass a barrier after the wait.
// nvcc: -arch=sm_90
#include <cstdio>
#include <cuda_runtime.h>

__global__ void produce(int* data)
{
    cudaTriggerProgrammaticLaunchCompletion();
    data[threadIdx.x] = threadIdx.x * 3;
}

__global__ void consume(const int* data, int* out)
{
    if (threadIdx.x == 0) {
        cudaGridDependencySynchronize();
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    // Reads what the first kernel writes.
    out[threadIdx.x] = data[threadIdx.x];
}

int main()
{
    const int n = 64;
    int *data, *out, result[n];
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    produce<<<1, n, 0, stream>>>(data);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(n);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, consume, (const int*)data, out);
    cudaMemcpyAsync(result, out, sizeof result, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("%d\n", result[5]);
    return result[5] == 15 ? 0 : 1;
}
