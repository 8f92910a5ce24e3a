// verdict: race
// race: lines 25 and 25, variable s_sum, shared
// repaired: clean
// Each warp sums its own 32 slots of shared memory, "warp-synchronously".
// Lanes of a warp are not ordered without __syncwarp: this relies on lockstep execution.
// Repaired: __syncwarp orders the lanes between the reads and the writes of every step.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 128;
constexpr int blocks = 4;
constexpr int warps = blocks * block_size / 32;

__global__ void warp_sums(const int* in, int* out)
{
    __shared__ int s_sum[block_size];
    const int t = threadIdx.x;
    const int lane = t % 32;
    const int i = blockIdx.x * block_size + t;
    s_sum[t] = in[i];
    __syncwarp();
    for (int offset = 16; offset > 0; offset /= 2) {
        if (lane < offset) {
            s_sum[t] += s_sum[t + offset];
        }
#ifdef REPAIRED
        __syncwarp();
#endif
    }
    if (lane == 0) {
        out[i / 32] = s_sum[t];
    }
}

int main()
{
    const int n = block_size * blocks;
    std::vector<int> in(n), out(warps);
    for (int i = 0; i < n; i++) {
        in[i] = i % 13;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, warps * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    warp_sums<<<blocks, block_size>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, warps * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int w = 0; w < warps; w++) {
        int expected = 0;
        for (int lane = 0; lane < 32; lane++) {
            expected += in[w * 32 + lane];
        }
        if (out[w] != expected) {
            fprintf(stderr, "warp %d: %d instead of %d\n", w, out[w], expected);
            return 1;
        }
    }
#endif
    printf("%d warp sums\n", warps);
    return 0;
}
