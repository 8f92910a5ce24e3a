// verdict: race
// race: lines 44 and 70, variable to, shared
// fault: HF019, line 32
// repaired: clean
// nvcc: -arch=sm_90
// A producer warp fills a ring of two slots by cp.async, whose completion arrives at the slot's `full` barrier;
// two consumer warps release a slot at its `empty` barrier. The consumers wait for phase 0 of `full` in each
// round: from the second round of a slot on, that phase is over, so nothing orders the new copies before the
// reads.
// Repaired: the parity changes when the ring begins anew.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

namespace ptx {
__device__ __forceinline__ uint32_t smem(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ __forceinline__ void init(uint64_t* bar, uint32_t count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)), "r"(count) : "memory");
}
__device__ __forceinline__ void arrive(uint64_t* bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(bar)) : "memory");
}
__device__ __forceinline__ void copy_arrive_noinc(uint64_t* bar)
{
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(smem(bar)) : "memory");
}
__device__ __forceinline__ void wait_parity(uint64_t* bar, uint32_t parity)
{
    asm volatile(
        "{\n"
        ".reg .pred       P1;\n"
        "LAB_WAIT:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1, %2;\n"
        "@P1              bra DONE;\n"
        "bra              LAB_WAIT;\n"
        "DONE:\n"
        "}" ::"r"(smem(bar)), "r"(parity), "r"(0x989680) : "memory");
}
__device__ __forceinline__ void copy16(void* to, const void* from)
{
    asm volatile("cp.async.cg.shared::cta.global [%0], [%1], 16, %2;" ::"r"(smem(to)), "l"(from), "r"(16) : "memory");
}
}  // namespace ptx

constexpr int slots = 2, rounds = 6, consumers = 64;

__global__ void relay(const int4* in, int* out)
{
    __shared__ alignas(128) int4 ring[slots][32];
    __shared__ alignas(8) uint64_t full[slots], empty[slots];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int i = 0; i < slots; i++) {
            ptx::init(&full[i], 32);
            ptx::init(&empty[i], consumers);
        }
    }
    __syncthreads();
    uint32_t slot = 0, parity = 0;
    for (int round = 0; round < rounds; round++) {
        if (threadIdx.x < 32) {
            ptx::wait_parity(&empty[slot], parity ^ 1);
            ptx::copy16(&ring[slot][lane], &in[round * 32 + lane]);
            ptx::copy_arrive_noinc(&full[slot]);
        } else {
            ptx::wait_parity(&full[slot], parity);
            const int4 v = ring[slot][31 - lane];
            out[round * consumers + threadIdx.x - 32] = v.x + v.y + v.z + v.w;
            ptx::arrive(&empty[slot]);
        }
        slot++;
        if (slot == slots) {
            slot = 0;
#ifdef REPAIRED
            parity ^= 1;
#else
            if (threadIdx.x < 32) parity ^= 1;
#endif
        }
    }
}

int main()
{
    int4* in;
    int* out;
    cudaMallocManaged(&in, rounds * 32 * sizeof *in);
    cudaMallocManaged(&out, rounds * consumers * sizeof *out);
    for (int i = 0; i < rounds * 32; i++) in[i] = make_int4(i, 2 * i, 3 * i, 1);
    relay<<<1, 32 + consumers>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < rounds * consumers; i++) {
        const int from = i / consumers * 32 + 31 - i % 32;
        if (out[i] != 6 * from + 1) return printf("%d: %d\n", i, out[i]), 1;
    }
#endif
    return 0;
}
