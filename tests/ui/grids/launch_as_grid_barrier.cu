// verdict: race
// race: lines 18 and 28, variable staged, global
// repaired: clean
// Mirrors an array in two phases on a stream.
// __syncthreads between the phases orders the block only, but the mirror is in another block.
// Repaired: each phase is a launch; launches on one stream run one after the other.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#ifdef REPAIRED
__global__ void stage(const int* in, int* staged)
#else
__global__ void stage_and_mirror(const int* in, int* staged, int* out, int n)
#endif
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    staged[i] = in[i] * in[i];
#ifdef REPAIRED
}

__global__ void mirror(const int* staged, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#else
    __syncthreads();
#endif
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
#ifdef REPAIRED
    stage<<<blocks, threads, 0, stream>>>(d_in, d_staged);
    mirror<<<blocks, threads, 0, stream>>>(d_staged, d_out, n);
#else
    stage_and_mirror<<<blocks, threads, 0, stream>>>(d_in, d_staged, d_out, n);
#endif
    cudaMemcpyAsync(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFree(d_in);
    cudaFree(d_staged);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (out[i] != in[n - 1 - i] * in[n - 1 - i]) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
#endif
    printf("mirrored %d elements\n", n);
    return 0;
}
