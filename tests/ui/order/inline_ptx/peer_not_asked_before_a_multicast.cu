// verdict: race
// race: lines 70 and 74, variable tile, shared
// race-also: lines 70 and 70, variable tile, shared
// repaired: clean
// nvcc: -arch=compute_90a -code=sm_90a
// The first block of a cluster copies each tile to both blocks by a multicast. Each block's `full` barrier
// counts the bytes; before the next tile, the first block waits at its `empty` barrier for its own threads only.
// The other block's threads may still read the tile.
// Repaired: the threads of both blocks arrive at the first block's `empty` barrier.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

constexpr uint32_t n = 32, tiles = 4, cluster_size = 2;
#ifdef REPAIRED
constexpr uint32_t readers = cluster_size * n;
#else
constexpr uint32_t readers = n;
#endif

__device__ __forceinline__ uint32_t smem(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

// Arrives at the barrier that is at this address in the block `rank`, if `given`.
__device__ __forceinline__ void cluster_arrive(uint32_t bar, uint32_t rank, uint32_t given)
{
    asm volatile(
        "{\n\t"
        ".reg .pred p;\n\t"
        ".reg .b32 remote;\n\t"
        "setp.eq.u32 p, %2, 1;\n\t"
        "@p mapa.shared::cluster.u32 remote, %0, %1;\n\t"
        "@p mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n\t"
        "}" : : "r"(bar), "r"(rank), "r"(given) : "memory");
}
__device__ __forceinline__ void wait(uint32_t bar, uint32_t parity)
{
    asm volatile(
        "{\n\t"
        ".reg .pred p;\n\t"
        "wait:\n\t"
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n\t"
        "@p bra done;\n\t"
        "bra wait;\n\t"
        "done:\n\t"
        "}" : : "r"(bar), "r"(parity) : "memory");
}
__device__ __forceinline__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" : : : "memory");
}

__global__ void __cluster_dims__(cluster_size) share(const int* in, int* out)
{
    __shared__ alignas(128) int tile[n];
    __shared__ alignas(8) uint64_t full, empty;
    uint32_t rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(smem(&full)));
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(smem(&empty)), "r"(readers));
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
    }
    cluster_sync();
    for (uint32_t k = 0; k < tiles; k++) {
        if (threadIdx.x == 0) {
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" : : "r"(smem(&full)), "r"(n * 4) : "memory");
        }
        if (rank == 0 && threadIdx.x == 0) {
            wait(smem(&empty), k & 1 ^ 1);
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
                         : : "r"(smem(tile)), "l"(in + k * n), "r"(n * 4), "r"(smem(&full)), "h"(static_cast<uint16_t>(3)) : "memory");
        }
        wait(smem(&full), k & 1);
        out[(k * cluster_size + rank) * n + threadIdx.x] = tile[threadIdx.x ^ rank];
#ifdef REPAIRED
        cluster_arrive(smem(&empty), 0, 1);
#else
        cluster_arrive(smem(&empty), 0, rank == 0);
#endif
    }
    // No block ends while the other one may access its shared memory.
    cluster_sync();
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, tiles * n * sizeof *in);
    cudaMallocManaged(&out, tiles * cluster_size * n * sizeof *out);
    for (uint32_t i = 0; i < tiles * n; i++) in[i] = static_cast<int>(3 * i);
    share<<<cluster_size, n>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (uint32_t i = 0; i < tiles * cluster_size * n; i++) {
        const uint32_t rank = i / n % cluster_size, from = i / (cluster_size * n) * n + (i % n ^ rank);
        if (out[i] != static_cast<int>(3 * from)) return printf("%u: %d\n", i, out[i]), 1;
    }
#endif
    return 0;
}
