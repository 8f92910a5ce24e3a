// verdict: race
// race: lines 16 and 26, variable data, global
// repaired: clean
// A graph captured from a stream: its second kernel may begin when the first one has triggered it, which happens
// before that one writes. It reads the array before it waits for the first kernel.
// Repaired: it waits before it reads.
// nvcc: -arch=sm_90
#include <cstdio>
#include <cuda_runtime.h>

__global__ void produce(int* data)
{
    cudaTriggerProgrammaticLaunchCompletion();
    const int value = threadIdx.x * 3;
    __syncthreads();
    data[threadIdx.x] = value;
}

__global__ void consume(const int* data, int* own, int* out)
{
    own[threadIdx.x] = 1;
#ifdef REPAIRED
    cudaGridDependencySynchronize();
#endif
    // Reads what the first kernel writes.
    out[threadIdx.x] = data[threadIdx.x] + own[threadIdx.x];
#ifndef REPAIRED
    cudaGridDependencySynchronize();
#endif
}

int main()
{
    const int n = 64;
    int *data, *own, *out, result[n];
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&own, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(data, 0, n * sizeof(int), stream);
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
    cudaLaunchKernelEx(&config, consume, (const int*)data, own, out);
    cudaMemcpyAsync(result, out, sizeof result, cudaMemcpyDeviceToHost, stream);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    printf("%d\n", result[5]);
    return result[5] == 16 ? 0 : 1;
}
