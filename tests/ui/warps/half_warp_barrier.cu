// verdict: clean
// Reverses groups of 16 elements; each half of a warp has its own barrier.
// A __syncwarp orders the lanes of its mask.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 64;
constexpr int blocks = 4;

__global__ void reverse_groups(const int* in, int* out)
{
    __shared__ int s_half[block_size];
    const int t = threadIdx.x;
    const int base = blockIdx.x * block_size;
    const unsigned int half = t % 32 < 16 ? 0x0000ffffu : 0xffff0000u;
    s_half[t] = in[base + t];
    __syncwarp(half);
    out[base + t] = s_half[t ^ 15];
}

int main()
{
    const int n = block_size * blocks;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = i * i;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    reverse_groups<<<blocks, block_size>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    for (int i = 0; i < n; i++) {
        if (out[i] != in[i ^ 15]) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
    printf("reversed %d groups\n", n / 16);
    return 0;
}
