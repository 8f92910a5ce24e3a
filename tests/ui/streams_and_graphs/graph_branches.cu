// verdict: race
// race: lines 12 and 17, variable data, global
// repaired: clean
// A captured graph: one branch fills an array, the other one adds it up. The branch that adds
// waits for the beginning of the graph only.
// Repaired: it waits for the branch that fills.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void fill(int* data)
{
    data[threadIdx.x] = threadIdx.x;
}

__global__ void add(const int* data, int* sum)
{
    atomicAdd(sum, data[threadIdx.x]);
}

int main()
{
    const int n = 64;
    int *data, *sum;
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(data, 0, n * sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    cudaStream_t main_branch, side_branch;
    cudaEvent_t begun, added;
    cudaStreamCreate(&main_branch);
    cudaStreamCreate(&side_branch);
    cudaEventCreate(&begun);
    cudaEventCreate(&added);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(main_branch, cudaStreamCaptureModeGlobal);
#ifndef REPAIRED
    cudaEventRecord(begun, main_branch);
#endif
    fill<<<1, n, 0, main_branch>>>(data);
#ifdef REPAIRED
    cudaEventRecord(begun, main_branch);
#endif
    cudaStreamWaitEvent(side_branch, begun, 0);
    add<<<1, n, 0, side_branch>>>(data, sum);
    cudaEventRecord(added, side_branch);
    cudaStreamWaitEvent(main_branch, added, 0);
    cudaStreamEndCapture(main_branch, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    for (int i = 0; i < 3; i++) {
        cudaGraphLaunch(executable, main_branch);
    }
    cudaStreamSynchronize(main_branch);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaEventDestroy(begun);
    cudaEventDestroy(added);
    cudaStreamDestroy(main_branch);
    cudaStreamDestroy(side_branch);
    cudaFree(data);
    cudaFree(sum);
    printf("done\n");
    return 0;
}
