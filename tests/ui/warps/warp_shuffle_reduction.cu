// verdict: race
// race: lines 29 and 35, variable s_warp, shared
// repaired: clean
// Block sum in two levels: shuffles inside each warp, then warp 0 adds the warps' sums.
// Warp 0 reads the other warps' sums without waiting for them.
// Repaired: a barrier separates the two levels.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 256;
constexpr int blocks = 5;

__device__ __forceinline__ int warp_sum(int value)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffffu, value, offset);
    }
    return value;
}

__global__ void block_sum(const int* in, int* out)
{
    __shared__ int s_warp[block_size / 32];
    const int lane = threadIdx.x % warpSize;
    const int warp = threadIdx.x / warpSize;
    const int sum = warp_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (lane == 0) {
        s_warp[warp] = sum;
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    if (warp == 0) {
        const int part = lane < block_size / 32 ? s_warp[lane] : 0;
        const int total = warp_sum(part);
        if (lane == 0) {
            out[blockIdx.x] = total;
        }
    }
}

int main()
{
    const int n = block_size * blocks;
    std::vector<int> in(n), out(blocks);
    for (int i = 0; i < n; i++) {
        in[i] = i % 29 - 14;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    block_sum<<<dim3(blocks), dim3(block_size)>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int b = 0; b < blocks; b++) {
        int expected = 0;
        for (int t = 0; t < block_size; t++) {
            expected += in[b * block_size + t];
        }
        if (out[b] != expected) {
            fprintf(stderr, "block %d: %d instead of %d\n", b, out[b], expected);
            return 1;
        }
    }
#endif
    printf("%d block sums\n", blocks);
    return 0;
}
