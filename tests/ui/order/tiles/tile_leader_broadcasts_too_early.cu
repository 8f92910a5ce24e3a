// verdict: race
// race: lines 24 and 30, variable s_base, shared
// repaired: clean
// The first thread of each tile reserves room and leaves the base in shared memory; the members
// use it. The loop has a tile.sync() after the loads, which protects the base from the next
// round's store, but none between the store and the loads.
// Repaired: the base travels by tile.shfl(), a register exchange, and no memory is shared.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void reserve(int* used, int* slots)
{
#ifndef REPAIRED
    __shared__ int s_base[8];
#endif
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    for (int round = 0; round < 3; round++) {
        int base = 0;
        if (tile.thread_rank() == 0) {
            base = atomicAdd(used, 16);
#ifndef REPAIRED
            s_base[tile.meta_group_rank()] = base;
#endif
        }
#ifdef REPAIRED
        base = tile.shfl(base, 0);
#else
        base = s_base[tile.meta_group_rank()];
        tile.sync();
#endif
        slots[round * 128 + threadIdx.x] = base + tile.thread_rank();
    }
}

int main()
{
    int *used, *slots;
    cudaMallocManaged(&used, sizeof(int));
    cudaMallocManaged(&slots, 3 * 128 * sizeof(int));
    *used = 0;
    reserve<<<1, 128>>>(used, slots);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    long long sum = 0;
    for (int i = 0; i < 3 * 128; i++) sum += slots[i];
    if (*used != 3 * 128 || sum != 3 * 64 * (3 * 128 - 1)) return 1;
#endif
    return 0;
}
