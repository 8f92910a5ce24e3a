// verdict: race
// race: lines 29 and 29, variable s_stats, shared
// repaired: clean
// Sum and maximum of a block, collected in one shared struct.
// Every thread adds to the sum with a plain read-modify-write.
// Repaired: sum and maximum are both updated atomically.
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
#ifdef REPAIRED
    atomicAdd(&s_stats.sum, value);
#else
    s_stats.sum += value;
#endif
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
#ifdef REPAIRED
    for (int b = 0; b < blocks; b++) {
        Statistics expected = {0, 0};
        for (int t = 0; t < threads; t++) {
            expected.sum += in[b * threads + t];
            expected.maximum = std::max(expected.maximum, in[b * threads + t]);
        }
        if (out[b].sum != expected.sum || out[b].maximum != expected.maximum) {
            fprintf(stderr, "block %d: wrong statistics\n", b);
            return 1;
        }
    }
#endif
    printf("statistics of %d blocks\n", blocks);
    return 0;
}
