// verdict: race
// race: lines 31 and 63, variable s_y, shared
// repaired: clean
// nvcc: -arch=sm_90
// A thread loads two operands in bulk, and one barrier counts the bytes of both. The author has added the second
// load later, and the barrier still expects the bytes of the first one only: its phase may end while the second
// load is under way.
// Repaired: it expects the bytes of both.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int n = 64;

__device__ __forceinline__ uint32_t smem(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

struct TransactionBarrier {
    uint64_t object;

    __device__ __forceinline__ void init()
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(smem(&object)), "r"(1) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    __device__ __forceinline__ void arrive_and_expect(uint32_t bytes)
    {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(smem(&object)), "r"(bytes) : "memory");
    }
    __device__ __forceinline__ void load(void* to, const void* from, uint32_t bytes)
    {
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                     : : "r"(smem(to)), "l"(from), "r"(bytes), "r"(smem(&object)) : "memory");
    }
    __device__ __forceinline__ void wait(uint32_t parity)
    {
        asm volatile(
            "{\n\t"
            ".reg .pred complete;\n\t"
            "again: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 complete, [%0], %1;\n\t"
            "@!complete bra.uni again;\n\t"
            "}" : : "r"(smem(&object)), "r"(parity) : "memory");
    }
};

__global__ void axpy(const float* x, const float* y, float* out, float factor)
{
    __shared__ alignas(128) float s_x[n];
    __shared__ alignas(128) float s_y[n];
    __shared__ TransactionBarrier loaded;
    const int t = threadIdx.x;
    if (t == 0) loaded.init();
    __syncthreads();
    if (t == 0) {
#ifdef REPAIRED
        loaded.arrive_and_expect(sizeof s_x + sizeof s_y);
#else
        loaded.arrive_and_expect(sizeof s_x);
#endif
        loaded.load(s_x, x + blockIdx.x * n, sizeof s_x);
        loaded.load(s_y, y + blockIdx.x * n, sizeof s_y);
    }
    loaded.wait(0);
    out[blockIdx.x * n + t] = factor * s_x[t] + s_y[t];
}

int main()
{
    constexpr int blocks = 2, all = blocks * n;
    float *x, *y, *out;
    cudaMallocManaged(&x, all * sizeof *x);
    cudaMallocManaged(&y, all * sizeof *y);
    cudaMallocManaged(&out, all * sizeof *out);
    for (int i = 0; i < all; i++) x[i] = static_cast<float>(i), y[i] = static_cast<float>(i % 5);
    axpy<<<blocks, n>>>(x, y, out, 2);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < all; i++) {
        if (out[i] != static_cast<float>(2 * i + i % 5)) return printf("%d: %g\n", i, out[i]), 1;
    }
#endif
    return 0;
}
