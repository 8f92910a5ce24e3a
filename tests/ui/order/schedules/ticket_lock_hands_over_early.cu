// verdict: race
// explore: 16
// race-any: lines 33 and 40, variable last_owner, global
// race-any: lines 33 and 33, variable last_owner, global
// race-any: lines 33 and 44, variable last_owner, global
// repaired: clean
// A ticket lock. If others wait, the holder hands the lock over before it writes down that it was the
// last owner, to save them time. Without waiters it writes first, so blocks that come one after the
// other are ordered. The race needs a block that is stopped while it holds the lock.
// Repaired: the holder always writes first.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Word = cuda::atomic<unsigned, cuda::thread_scope_device>;
constexpr int blocks = 4, rounds = 2;
__device__ Word next_ticket{0}, serving{0};
__device__ int value, last_owner;

__global__ void add()
{
    for (int round = 0; round < rounds; round++) {
        const unsigned ticket = next_ticket.fetch_add(1, cuda::memory_order_relaxed);
        while (serving.load(cuda::memory_order_acquire) != ticket) {
        }
        value++;
#ifdef REPAIRED
        const bool is_wanted = false;
#else
        const bool is_wanted = next_ticket.load(cuda::memory_order_relaxed) != ticket + 1;
        if (is_wanted) {
            serving.store(ticket + 1, cuda::memory_order_release);
            last_owner = blockIdx.x;
        }
#endif
        if (!is_wanted) {
#ifdef REPAIRED
            last_owner = blockIdx.x;
#else
            last_owner = blockIdx.x;
#endif
            serving.store(ticket + 1, cuda::memory_order_release);
        }
    }
}

int main()
{
    add<<<blocks, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, value, sizeof result);
    if (result != blocks * rounds) return 1;
    printf("added\n");
    return 0;
}
