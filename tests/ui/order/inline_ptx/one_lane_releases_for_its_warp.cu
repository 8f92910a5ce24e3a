// verdict: race
// race: lines 54 and 61, variable ring, shared
// repaired: clean
// nvcc: -arch=sm_90
// The `empty` barriers of a ring count warps, not threads: in each consumer warp, one elected lane arrives when
// the warp has read a slot. Its arrival releases what that lane has read, and the other lanes may be behind.
// Repaired: `bar.warp.sync` before the arrival.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

#define MBARRIER_INIT(bar, count) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(bar), "r"(count))
#define MBARRIER_ARRIVE(bar) asm volatile("{ .reg .b64 state; mbarrier.arrive.release.cta.shared::cta.b64 state, [%0]; }" : : "r"(bar) : "memory")

constexpr int slots = 2, rounds = 4, consumer_warps = 2;

__device__ __forceinline__ uint32_t cast_smem(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ __forceinline__ bool elect_one()
{
    uint32_t is_elected;
    asm volatile(
        "{\n"
        "  .reg .pred P1;\n"
        "  elect.sync _|P1, 0xffffffff;\n"
        "  selp.u32 %0, 1, 0, P1;\n"
        "}" : "=r"(is_elected));
    return is_elected;
}

__device__ __forceinline__ void wait(uint32_t bar, uint32_t parity)
{
    uint32_t done;
    do {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(bar), "r"(parity) : "memory");
    } while (!done);
}

__global__ void square(const int* in, int* out)
{
    __shared__ int ring[slots][32];
    __shared__ alignas(8) uint64_t full[slots], empty[slots];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < slots) {
        MBARRIER_INIT(cast_smem(&full[threadIdx.x]), 32);
        MBARRIER_INIT(cast_smem(&empty[threadIdx.x]), consumer_warps);
    }
    __syncthreads();
    if (warp == 0) {
        for (int round = 0; round < rounds; round++) {
            const int slot = round % slots;
            wait(cast_smem(&empty[slot]), round / slots + 1 & 1);
            ring[slot][lane] = in[round * 32 + lane];
            MBARRIER_ARRIVE(cast_smem(&full[slot]));
        }
    } else {
        for (int round = 0; round < rounds; round++) {
            const int slot = round % slots;
            wait(cast_smem(&full[slot]), round / slots & 1);
            const int value = ring[slot][lane ^ warp];
#ifdef REPAIRED
            asm volatile("bar.warp.sync 0xffffffff;" : : : "memory");
#endif
            if (elect_one()) MBARRIER_ARRIVE(cast_smem(&empty[slot]));
            out[(round * consumer_warps + warp - 1) * 32 + lane] = value * value;
        }
    }
}

int main()
{
    constexpr int n = rounds * consumer_warps * 32;
    int *in, *out;
    cudaMallocManaged(&in, rounds * 32 * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    for (int i = 0; i < rounds * 32; i++) in[i] = i;
    square<<<1, 32 + consumer_warps * 32>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        const int from = i / 64 * 32 + (i % 32 ^ (i / 32 % 2 + 1));
        if (out[i] != from * from) return printf("%d: %d\n", i, out[i]), 1;
    }
#endif
    return 0;
}
