// verdict: race
// race: lines 12 and 14, variable staged, global
// Mirrors an array in two phases on a stream.
// __syncthreads between the phases orders the block only, but the mirror is in another block.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void stage_and_mirror(const int* in, int* staged, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    staged[i] = in[i] * in[i];
    __syncthreads();
    out[i] = staged[n - 1 - i];
}

int main()
{
    const int blocks = 4, threads = 128, n = blocks * threads;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = i % 77;
    }
    int *d_in, *d_staged, *d_out;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_staged, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpyAsync(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream);
    stage_and_mirror<<<blocks, threads, 0, stream>>>(d_in, d_staged, d_out, n);
    cudaMemcpyAsync(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFree(d_in);
    cudaFree(d_staged);
    cudaFree(d_out);
    printf("mirrored %d elements\n", n);
    return 0;
}
