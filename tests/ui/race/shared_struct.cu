// verdict: race
// race: lines 24 and 24, variable s_stats, shared
// Sum and maximum of a block, collected in one shared struct.
// Every thread adds to the sum with a plain read-modify-write.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Statistics {
    int sum;
    int maximum;
};

__global__ void collect(const int* in, Statistics* out)
{
    __shared__ Statistics s_stats;
    const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (threadIdx.x == 0) {
        s_stats.sum = 0;
        s_stats.maximum = 0;
    }
    __syncthreads();
    s_stats.sum += value;
    atomicMax(&s_stats.maximum, value);
    __syncthreads();
    if (threadIdx.x == 0) {
        out[blockIdx.x] = s_stats;
    }
}

int main()
{
    const int blocks = 4, threads = 96, n = blocks * threads;
    std::vector<int> in(n);
    std::vector<Statistics> out(blocks);
    for (int i = 0; i < n; i++) {
        in[i] = (i * 31) % 211;
    }
    int* d_in;
    Statistics* d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, blocks * sizeof(Statistics));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    collect<<<blocks, threads>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, blocks * sizeof(Statistics), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    printf("statistics of %d blocks\n", blocks);
    return 0;
}
