// verdict: race
// race: lines 23 and 64, variable bins, shared
// repaired: clean
// nvcc: -arch=sm_90
// The blocks of a cluster add to bins that are spread over their shared memory, by red.async; the barrier of
// each block counts the bytes of what arrives. One thread of a block waits for its bytes, and all threads read
// the bins afterwards, without a barrier of the block.
// Repaired: all threads wait for the bytes.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

constexpr uint32_t blocks = 2, bins_of_block = 32, threads = 64;

__device__ __forceinline__ uint32_t smem(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }
__device__ __forceinline__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}
__device__ __forceinline__ void add_to_block(uint32_t rank, uint32_t bin, uint32_t value, uint32_t bar)
{
    asm volatile(
        "{\n"
        "  .reg .b32 there, object;\n"
        "  mapa.shared::cluster.u32 there, %0, %3;\n"
        "  mapa.shared::cluster.u32 object, %2, %3;\n"
        "  red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.add.u32 [there], %1, [object];\n"
        "}\n" : : "r"(bin), "r"(value), "r"(bar), "r"(rank) : "memory");
}
__device__ __forceinline__ bool try_wait(uint32_t bar, uint32_t parity)
{
    uint32_t complete;
    asm volatile(
        "{\n"
        "  .reg .pred p;\n"
        "  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n"
        "  selp.b32 %0, 1, 0, p;\n"
        "}\n" : "=r"(complete) : "r"(bar), "r"(parity) : "memory");
    return complete;
}

__global__ void __cluster_dims__(blocks) histogram(const uint32_t* in, uint32_t* out)
{
    __shared__ uint32_t bins[bins_of_block];
    __shared__ alignas(8) uint64_t object;
    const uint32_t t = threadIdx.x, bar = smem(&object);
    if (t < bins_of_block) bins[t] = 0;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(bar) : "memory");
        // Each thread of the cluster adds to one bin of each block.
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(bar), "r"(4 * blocks * threads) : "memory");
    }
    cluster_sync();
    const uint32_t value = in[blockIdx.x * threads + t];
    for (uint32_t rank = 0; rank < blocks; rank++) {
        add_to_block(rank, smem(&bins[value % bins_of_block]), value / bins_of_block % blocks == rank, bar);
    }
#ifdef REPAIRED
    while (!try_wait(bar, 0)) {}
#else
    if (t == 0) while (!try_wait(bar, 0)) {}
#endif
    if (t < bins_of_block) out[blockIdx.x * bins_of_block + t] = bins[t];
    cluster_sync();
}

int main()
{
    uint32_t *in, *out;
    cudaMallocManaged(&in, blocks * threads * sizeof *in);
    cudaMallocManaged(&out, blocks * bins_of_block * sizeof *out);
    uint32_t wanted[blocks * bins_of_block] = {};
    for (uint32_t i = 0; i < blocks * threads; i++) {
        in[i] = i * i;
        wanted[i * i % (blocks * bins_of_block)]++;
    }
    histogram<<<blocks, threads>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (uint32_t i = 0; i < blocks * bins_of_block; i++) {
        if (out[i] != wanted[i]) return printf("%u: %u instead of %u\n", i, out[i], wanted[i]), 1;
    }
#endif
    return 0;
}
