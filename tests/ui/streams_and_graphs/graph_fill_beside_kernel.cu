// verdict: race
// race: lines 35 and 11, variable counts, global
// repaired: clean
// A graph fills the counters, and a kernel counts. No edge leads from the one node to the other.
// Repaired: the kernel depends on the fill.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void count(int* counts)
{
    atomicAdd(&counts[threadIdx.x % 4], 1);
}

int main()
{
    int *counts, result[4];
    cudaMalloc(&counts, 4 * sizeof(int));
    cudaMemset(counts, 0, 4 * sizeof(int));
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaMemsetParams fill = {};
    fill.dst = counts;
    fill.value = 0;
    fill.pitch = 4 * sizeof(int);
    fill.elementSize = 4;
    fill.width = 4;
    fill.height = 1;
    cudaKernelNodeParams kernel = {};
    void* arguments[] = {&counts};
    kernel.func = (void*)count;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(64);
    kernel.kernelParams = arguments;
    cudaGraphNode_t fill_node, kernel_node;
    cudaGraphAddMemsetNode(&fill_node, graph, nullptr, 0, &fill);
#ifdef REPAIRED
    cudaGraphAddKernelNode(&kernel_node, graph, &fill_node, 1, &kernel);
#else
    cudaGraphAddKernelNode(&kernel_node, graph, nullptr, 0, &kernel);
#endif
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, 0);
    cudaMemcpy(result, counts, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result[0]);
    return result[0] == 16 ? 0 : 1;
}
