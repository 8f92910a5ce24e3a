// verdict: race
// race: lines 21 and 29, variable tile, shared
// repaired: clean
// nvcc: -arch=sm_90
// A thread adds a tile to global memory by cp.reduce.async.bulk, and the warp fills the tile anew while the reduction
// may still read it.
// Repaired: the thread waits until its group has read.
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned in_shared(const void* object) { return static_cast<unsigned>(__cvta_generic_to_shared(object)); }

__global__ void add(unsigned* sums)
{
    __shared__ alignas(128) unsigned tile[32];
    const unsigned t = threadIdx.x;
    tile[t] = t;
    asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
    __syncwarp();
    if (t == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 128;" : : "l"(sums), "r"(in_shared(tile)) : "memory");
        asm volatile("cp.async.bulk.commit_group;" : : : "memory");
#ifdef REPAIRED
        asm volatile("cp.async.bulk.wait_group.read 0;" : : : "memory");
#endif
    }
    __syncwarp();
    // The second round.
    tile[t] = 2 * t;
    __syncwarp();
    if (t == 1) sums[32] = tile[31];
}

int main()
{
    unsigned* sums;
    cudaMallocManaged(&sums, 33 * sizeof *sums);
    for (int i = 0; i < 33; i++) sums[i] = 0;
    add<<<1, 32>>>(sums);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (unsigned i = 0; i < 32; i++) {
        if (sums[i] != i) return printf("%u: %u\n", i, sums[i]), 1;
    }
#endif
    return sums[32] != 62;
}
