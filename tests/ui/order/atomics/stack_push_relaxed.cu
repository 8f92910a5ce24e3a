// verdict: race
// race: lines 25 and 34, variable value, global
// repaired: clean
// Blocks push nodes on a linked stack by compare-and-swap; the last block takes all by an exchange.
// The swap is relaxed: the values of the nodes are not released with the pointer to them.
// Repaired: the swap releases. Later swaps continue its release sequence, and the exchange acquires all.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int pushers = 4;
__device__ cuda::atomic<int, cuda::thread_scope_device> top{0};
__device__ int value[pushers + 1], below[pushers + 1];
__device__ int sum;
#ifdef REPAIRED
constexpr auto push_order = cuda::memory_order_release;
#else
constexpr auto push_order = cuda::memory_order_relaxed;
#endif

__global__ void collect()
{
    const int node = blockIdx.x + 1;
    if (node <= pushers) {
        value[node] = 10 * node;
        int old = top.load(cuda::memory_order_relaxed);
        do atomicExch(&below[node], old);
        while (!top.compare_exchange_weak(old, node, push_order, cuda::memory_order_relaxed));
        return;
    }
    for (int taken = 0; taken < pushers;) {
        int next = top.exchange(0, cuda::memory_order_acquire);
        for (; next != 0; next = atomicAdd(&below[next], 0)) {
            sum += value[next];
            taken++;
        }
    }
}

int main()
{
    collect<<<pushers + 1, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, sum, sizeof result);
    if (result != 100) return 1;
    printf("sum %d\n", result);
    return 0;
}
