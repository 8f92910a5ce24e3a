// verdict: clean
// A graph built node by node from kernels in a table of addresses, and cudaLaunchKernelEx.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }

template <int factor>
__global__ void scale(int* data, int) { data[threadIdx.x] *= factor; }

int main()
{
    int* data;
    int value = 3, out[32];
    cudaMalloc(&data, sizeof out);
    void* table[] = {(void*)fill, reinterpret_cast<void*>(&scale<2>), (void*)scale<5>};
    void* arguments[] = {&data, &value};
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphNode_t node, before = nullptr;
    cudaGraphCreate(&graph, 0);
    for (void* kernel : table) {
        cudaKernelNodeParams parameters = {};
        parameters.func = kernel;
        parameters.gridDim = dim3(1);
        parameters.blockDim = dim3(32);
        parameters.kernelParams = arguments;
        if (cudaGraphAddKernelNode(&node, graph, &before, before != nullptr, &parameters) != cudaSuccess) return 1;
        before = node;
    }
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, 0);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(32);
    if (cudaLaunchKernelEx(&config, scale<2>, data, 0) != cudaSuccess) return 1;
    cudaMemcpy(out, data, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[31]);
    return out[31] == 60 ? 0 : 1;
}
