// verdict: race
// race: lines 47 and 52, variable partials, global
// repaired: clean
// nvcc: -arch=sm_80
// The blocks of a tile store their partial sums and count themselves by a fence and `red.relaxed`; the first
// block waits until the count is complete and adds the sums up. It polls by relaxed loads, and no fence follows.
// Repaired: by acquiring loads.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int peers = 3, threads = 64;

namespace generic_barrier {
__device__ __forceinline__ int load(const int* flag)
{
    int state = 0;
#ifdef REPAIRED
    asm volatile("ld.global.acquire.gpu.b32 %0, [%1];\n" : "=r"(state) : "l"(flag));
#else
    asm volatile("ld.global.relaxed.gpu.b32 %0, [%1];\n" : "=r"(state) : "l"(flag));
#endif
    return state;
}
__device__ __forceinline__ void wait_eq(const int* flag, int value)
{
    if (threadIdx.x == 0) {
#pragma unroll 1
        while (load(flag) != value) {}
    }
    __syncthreads();
}
__device__ __forceinline__ void arrive_inc(int* flag)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("fence.acq_rel.gpu;\n");
        asm volatile("red.relaxed.gpu.global.add.s32 [%0], %1;\n" : : "l"(flag), "r"(1));
    }
}
}  // namespace generic_barrier

__global__ void fix_up(const float* in, float* partials, int* flag, float* out)
{
    const int t = threadIdx.x, peer = blockIdx.x;
    float sum = 2 * in[peer * threads + t];
    if (peer != 0) {
        partials[peer * threads + t] = sum;
        generic_barrier::arrive_inc(flag);
        return;
    }
    generic_barrier::wait_eq(flag, peers - 1);
    for (int other = 1; other < peers; other++) sum += partials[other * threads + t];
    out[t] = sum;
}

int main()
{
    float *in, *partials, *out;
    int* flag;
    cudaMallocManaged(&in, peers * threads * sizeof *in);
    cudaMallocManaged(&out, threads * sizeof *out);
    cudaMalloc(&partials, peers * threads * sizeof *partials);
    cudaMalloc(&flag, sizeof *flag);
    cudaMemset(flag, 0, sizeof *flag);
    for (int i = 0; i < peers * threads; i++) in[i] = static_cast<float>(i % 8);
    fix_up<<<peers, threads>>>(in, partials, flag, out);
    cudaDeviceSynchronize();
    for (int t = 0; t < threads; t++) {
        if (out[t] != static_cast<float>(2 * peers * (t % 8))) return printf("%d: %g\n", t, out[t]), 1;
    }
    return 0;
}
