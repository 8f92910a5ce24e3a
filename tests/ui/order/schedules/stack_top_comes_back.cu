// verdict: race
// explore: 16
// race-any: lines 56 and 56, variable payload, global
// race-any: lines 56 and 58, variable payload, global
// race-any: lines 58 and 58, variable payload, global
// repaired: clean
// A stack of free nodes. A block pops two, uses and returns the first, then the second. The pop reads
// the top and the node below, and swaps the top if it is still the same. But the same node may have come
// back meanwhile, and the one below may still be in use (the ABA problem): then two blocks use one
// node. That needs one block stopped before its swap, and another one between its two returns.
// Repaired: the top has a version, which every swap changes.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Word = cuda::atomic<unsigned, cuda::thread_scope_device>;
constexpr int blocks = 4, rounds = 3, nodes = 2 * blocks;
#ifdef REPAIRED
constexpr unsigned version = 256;
#else
constexpr unsigned version = 0;
#endif
__device__ Word top{1};
__device__ Word below[nodes + 1];
__device__ int payload[nodes + 1];

__device__ unsigned pop()
{
    unsigned old = top.load(cuda::memory_order_acquire), under;
    do {
        while (old % 256 == 0) {
            old = top.load(cuda::memory_order_acquire);
        }
        under = below[old % 256].load(cuda::memory_order_relaxed);
    } while (!top.compare_exchange_weak(old, old - old % 256 + version + under, cuda::memory_order_acq_rel,
                                        cuda::memory_order_acquire));
    return old % 256;
}

__device__ void push(unsigned node)
{
    unsigned old = top.load(cuda::memory_order_relaxed);
    do {
        below[node].store(old % 256, cuda::memory_order_relaxed);
    } while (!top.compare_exchange_weak(old, old - old % 256 + version + node, cuda::memory_order_acq_rel,
                                        cuda::memory_order_relaxed));
}

__global__ void use()
{
    for (int round = 0; round < rounds; round++) {
        const unsigned first = pop(), second = pop();
        if (first > nodes || second > nodes) {
            return;
        }
        payload[first]++;
        push(first);
        payload[second]++;
        push(second);
    }
}

__global__ void fill()
{
    below[threadIdx.x].store(threadIdx.x < nodes ? threadIdx.x + 1 : 0, cuda::memory_order_relaxed);
}

int main()
{
    fill<<<1, nodes + 1>>>();
    use<<<blocks, 1>>>();
    int counts[nodes + 1], sum = 0;
    cudaMemcpyFromSymbol(counts, payload, sizeof counts);
    for (int count : counts) {
        sum += count;
    }
#ifdef REPAIRED
    if (sum != 2 * blocks * rounds) return 1;
#endif
    printf("used\n");
    return 0;
}
