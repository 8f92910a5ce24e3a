// verdict: race
// race: lines 35 and 42, variable data, shared
// repaired: clean
// One warp fills an array and arrives at a barrier object, for which the other warps wait. The wait is
// relaxed, so it does not acquire what the arrivals release.
// Repaired: a fence comes after the wait.
// nvcc: -arch=sm_90
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 96;

__device__ unsigned in_shared(const void* object) { return (unsigned)__cvta_generic_to_shared(object); }

__device__ bool is_complete(const void* barrier, unsigned parity)
{
    unsigned complete;
    asm volatile(
        "{\n"
        "  .reg .pred p;\n"
        "  mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 p, [%1], %2;\n"
        "  selp.u32 %0, 1, 0, p;\n"
        "}" : "=r"(complete) : "r"(in_shared(barrier)), "r"(parity) : "memory");
    return complete;
}

__global__ void share(int* out)
{
    __shared__ int data[32];
    __shared__ unsigned long long filled;
    const int t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(in_shared(&filled)) : "memory");
    __syncthreads();
    if (t < 32) {
        data[t] = t * t;
        asm volatile("{ .reg .b64 s; mbarrier.arrive.release.cta.shared::cta.b64 s, [%0]; }" ::"r"(in_shared(&filled)) : "memory");
    } else {
        while (!is_complete(&filled, 0)) {}
#ifdef REPAIRED
        asm volatile("fence.acq_rel.cta;" ::: "memory");
#endif
        out[t - 32] = data[t % 32];
    }
}

int main()
{
    int *out, results[64];
    cudaMalloc(&out, sizeof results);
    share<<<1, threads>>>(out);
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < 64; ++i) wrong += results[i] != i % 32 * (i % 32);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
