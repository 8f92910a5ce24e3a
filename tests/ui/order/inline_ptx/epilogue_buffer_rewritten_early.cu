// verdict: race
// race: lines 26 and 43, variable buffer, shared
// repaired: clean
// nvcc: -arch=sm_90
// An epilogue stages tiles in two buffers of shared memory, and an elected thread stores each one to global
// memory in bulk. Before a buffer is written again, that thread waits until at most two groups still read: those
// are exactly the stores from both buffers.
// Repaired: at most one, which is the store from the other buffer.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 64, tiles = 5, buffers = 2;

__device__ __forceinline__ uint32_t cast_smem(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

__device__ __forceinline__ void tma_store_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ __forceinline__ void tma_store_arrive() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int count>
__device__ __forceinline__ void tma_store_wait()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" : : "n"(count) : "memory");
}
__device__ __forceinline__ void bulk_store(void* to, const void* from, uint32_t bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" : : "l"(to), "r"(cast_smem(from)), "r"(bytes) : "memory");
}

__global__ void store_tiles(float* out)
{
    __shared__ alignas(128) float staging[buffers][threads];
    const int t = threadIdx.x;
    for (int tile = 0; tile < tiles; tile++) {
        float* const buffer = staging[tile % buffers];
        if (t == 0) {
#ifdef REPAIRED
            tma_store_wait<buffers - 1>();
#else
            tma_store_wait<buffers>();
#endif
        }
        asm volatile("bar.sync 1, 64;" ::: "memory");
        buffer[t] = static_cast<float>(tile * threads + t);
        tma_store_fence();
        asm volatile("bar.sync 1, 64;" ::: "memory");
        if (t == 0) {
            bulk_store(out + tile * threads, buffer, sizeof staging[0]);
            tma_store_arrive();
        }
    }
    // Shared memory must live until the last store has read it.
    if (t == 0) tma_store_wait<0>();
}

int main()
{
    float* out;
    cudaMallocManaged(&out, tiles * threads * sizeof *out);
    store_tiles<<<1, threads>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < tiles * threads; i++) {
        if (out[i] != static_cast<float>(i)) return printf("%d: %g\n", i, out[i]), 1;
    }
#endif
    return 0;
}
