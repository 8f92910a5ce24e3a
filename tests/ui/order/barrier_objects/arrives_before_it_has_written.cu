// verdict: race
// race: lines 25 and 28, variable s_tile, shared
// repaired: clean
// The first warp fills a tile for the second one, and arrives at the barrier before it has written: an arrival
// releases only what its thread has done until then.
// Repaired: it arrives afterwards.
#include <cstdio>
#include <cuda/barrier>
#include <cuda_runtime.h>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void pass_on(const int* in, int* out)
{
    __shared__ int s_tile[32];
    __shared__ Barrier filled;
    if (threadIdx.x == 0) init(&filled, 64);
    __syncthreads();
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
#ifdef REPAIRED
        s_tile[lane] = in[lane];
        (void)filled.arrive();
#else
        (void)filled.arrive(); s_tile[lane] = in[lane];
#endif
    } else {
        filled.arrive_and_wait(); out[lane] = s_tile[31 - lane];
    }
}

int main()
{
    int in[32], *d_in, *d_out;
    for (int i = 0; i < 32; ++i) in[i] = 7 * i;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof in);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    pass_on<<<1, 64>>>(d_in, d_out);
    int out[32];
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    std::printf("%d\n", out[0]);
    cudaFree(d_in);
    cudaFree(d_out);
    return out[0] != 7 * 31;
}
