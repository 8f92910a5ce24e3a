// verdict: race
// race: lines 41 and 41, variable slots, global
// race: lines 41 and 43, variable slots, global
// repaired: clean
// Slots of a small pool: a thread claims one by setting its bit, and clears the bit when it is done.
// Both operations are relaxed, so that the next owner's accesses are not ordered after those of the
// last one, whose operation may lie several operations back in the chain that made the value.
// Repaired: a fence after claiming a slot, and one before giving it back.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int words = 8;
__device__ unsigned taken;
__device__ int slots[4][words];
__device__ int wrong;

__device__ int claim()
{
    for (;;) {
        const int slot = __ffs(~*(volatile unsigned*)&taken & 0xf) - 1;
        if (slot < 0 || (atomicOr(&taken, 1u << slot) >> slot & 1) != 0) continue;
#ifdef REPAIRED
        __threadfence();
#endif
        return slot;
    }
}
__device__ void give_back(int slot)
{
#ifdef REPAIRED
    __threadfence();
#endif
    atomicAnd(&taken, ~(1u << slot));
}

__global__ void use()
{
    if (threadIdx.x % 16 != 0) return;
    const int slot = claim();
    const int id = 100 * blockIdx.x + threadIdx.x;
    for (int w = 0; w < words; w++) slots[slot][w] = id + w;
    int sum = 0;
    for (int w = 0; w < words; w++) sum += slots[slot][w];
    if (sum != words * id + 28) atomicAdd(&wrong, 1);
    give_back(slot);
}

int main()
{
    use<<<6, 64>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, wrong, sizeof result);
    if (result != 0) return 1;
    printf("wrong %d\n", result);
    return 0;
}
