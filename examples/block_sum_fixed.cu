// Adds up 1024 numbers, a block of 256 threads at a time: block_sum.cu, repaired.
//
//     cargo run --release -- check examples/block_sum_fixed.cu
#include <cstdio>
#include <cuda_runtime.h>

constexpr int block_size = 256;
constexpr int blocks = 4;

__global__ void block_sum(const int* in, int* out)
{
    __shared__ int s_sum[block_size];
    const int t = threadIdx.x;
    s_sum[t] = in[blockIdx.x * block_size + t];
    __syncthreads(); // all of s_sum must be written before any thread reads it

    // Fold the upper half onto the lower half until one number is left.
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
    const int n = blocks * block_size;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, blocks * sizeof(int));
    for (int i = 0; i < n; i++) {
        in[i] = 1;
    }
    block_sum<<<blocks, block_size>>>(in, out);
    cudaDeviceSynchronize();
    for (int b = 0; b < blocks; b++) {
        printf("block %d: %d (should be %d)\n", b, out[b], block_size);
    }
    cudaFree(in);
    cudaFree(out);
    return 0;
}
