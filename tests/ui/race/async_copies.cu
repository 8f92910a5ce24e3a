// verdict: race
// race: lines 21 and 24, variable copy, shared
// Each thread copies one element in the background and waits for its own copy, but then
// reads the copy of another thread.
#include <cstdio>
#include <vector>
#include <cooperative_groups.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
constexpr int threads = 64;

__global__ void reverse(const int* in, int* out, int tiles)
{
    __shared__ int copy[threads];
    const auto block = cg::this_thread_block();
    const int t = threadIdx.x;
    for (int i = 0; i < tiles; i++) {
        const int* from = in + i * threads;
        __pipeline_memcpy_async(&copy[t], &from[t], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        out[i * threads + t] = copy[threads - 1 - t];
        block.sync();
    }
}

int main()
{
    const int tiles = 3, n = tiles * threads;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) in[i] = i * 7;
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    reverse<<<1, threads>>>(d_in, d_out, tiles);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    printf("reversed %d tiles\n", tiles);
    return 0;
}
