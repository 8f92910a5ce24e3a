// verdict: race
// race: lines 19 and 25, variable s_sum, shared
// repaired: clean
// Block-wide tree sum of floats.
// The first step of the tree reads slots that other warps may not have filled yet.
// Repaired: a barrier separates filling s_sum from the first step of the tree.
#include <cmath>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 256;
constexpr int blocks = 8;

__global__ void __launch_bounds__(block_size) tree_sum(const float* in, float* out)
{
    __shared__ float s_sum[block_size];
    const int t = threadIdx.x;
    s_sum[t] = in[blockIdx.x * block_size + t];
#ifdef REPAIRED
    __syncthreads();
#endif
    for (int stride = block_size / 2; stride > 0; stride /= 2) {
        if (t < stride) {
            s_sum[t] += s_sum[t + stride];
        }
        __syncthreads();
    }
    if (t == 0) {
        out[blockIdx.x] = s_sum[0];
    }
}

int main()
{
    const int n = block_size * blocks;
    std::vector<float> in(n), out(blocks);
    for (int i = 0; i < n; i++) {
        in[i] = 0.5f * (i % 17);
    }
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, blocks * sizeof(float));
    cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    tree_sum<<<blocks, block_size>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int b = 0; b < blocks; b++) {
        float expected = 0;
        for (int t = 0; t < block_size; t++) {
            expected += in[b * block_size + t];
        }
        if (std::fabs(out[b] - expected) > 1e-2f) {
            fprintf(stderr, "block %d: %f instead of %f\n", b, out[b], expected);
            return 1;
        }
    }
#endif
    printf("summed %d blocks\n", blocks);
    return 0;
}
