// verdict: race
// race: lines 22 and 22, variable mine, global
// repaired: clean
// Threads of a block update a slot by a cuda::atomic_ref of block scope.
// Two blocks share a slot, and block scope does not make their updates morally strong to each other.
// Repaired: a slot for each block; only threads of one block meet there.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int blocks = 4;
__device__ unsigned long long slots[blocks];

__global__ void tally()
{
#ifdef REPAIRED
    const int slot = blockIdx.x;
#else
    const int slot = blockIdx.x / 2;
#endif
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_block> mine(slots[slot]);
    mine.fetch_add(threadIdx.x + 1, cuda::memory_order_relaxed);
}

int main()
{
    tally<<<blocks, 32>>>();
    unsigned long long result[blocks], sum = 0;
    cudaMemcpyFromSymbol(result, slots, sizeof result);
    for (auto slot : result) sum += slot;
#ifdef REPAIRED
    if (sum != blocks * 528) return 1;
#endif
    printf("sum %llu\n", sum);
    return 0;
}
