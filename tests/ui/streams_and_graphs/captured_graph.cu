// verdict: race
// race-any: lines 13 and 13, variable in, global
// race-any: lines 13 and 13, variable out, global
// repaired: clean
// A captured graph whose kernels shift an array onto itself.
// Repaired: the kernels shift the array from one buffer to the other.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void shift(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[(i + 1) % n] + 1;
}

int main()
{
    int n = 1024;
    float *a, *b;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMemset(a, 0, n * sizeof(float));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int step = 0; step < 4; ++step) {
#ifdef REPAIRED
        shift<<<n / 256, 256, 0, stream>>>(a, b, n);
        shift<<<n / 256, 256, 0, stream>>>(b, a, n);
#else
        shift<<<n / 256, 256, 0, stream>>>(a, a, n);
#endif
    }
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    for (int i = 0; i < 3; ++i) cudaGraphLaunch(executable, stream);
    float first = 0;
    cudaMemcpyAsync(&first, a, sizeof first, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    std::printf("%g\n", first);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
#ifdef REPAIRED
    return first == 24 ? 0 : 1;
#else
    return 0;
#endif
}
