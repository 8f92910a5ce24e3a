// verdict: race
// race: lines 32 and 32, variable sum, global
// repaired: clean
// A queue lock (MCS): each waiter spins on its own node, and the holder clears the node of the next one.
// Handing over and leaving the empty queue are relaxed: no release pattern for the update.
// Repaired: both release. A waiter acquires its node, or the tail that the last holder has emptied.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int blocks = 5;
using Word = cuda::atomic<int, cuda::thread_scope_device>;
#ifdef REPAIRED
constexpr auto leave = cuda::memory_order_release;
#else
constexpr auto leave = cuda::memory_order_relaxed;
#endif
__device__ Word tail{0}, next_of[blocks + 1], waits[blocks + 1];
__device__ int sum;

__global__ void add()
{
    const int me = blockIdx.x + 1;
    next_of[me].store(0, cuda::memory_order_relaxed);
    waits[me].store(1, cuda::memory_order_relaxed);
    const int before = tail.exchange(me, cuda::memory_order_acq_rel);
    if (before != 0) {
        next_of[before].store(me, cuda::memory_order_relaxed);
        while (waits[me].load(cuda::memory_order_acquire)) {
        }
    }
    sum += me;
    int expected = me;
    if (tail.compare_exchange_strong(expected, 0, leave, cuda::memory_order_relaxed)) return;
    int next;
    while ((next = next_of[me].load(cuda::memory_order_relaxed)) == 0) {
    }
    waits[next].store(0, leave);
}

int main()
{
    add<<<blocks, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, sum, sizeof result);
    if (result != blocks * (blocks + 1) / 2) return 1;
    printf("sum %d\n", result);
    return 0;
}
