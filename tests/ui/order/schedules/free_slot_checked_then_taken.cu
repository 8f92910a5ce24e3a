// verdict: race
// explore: 16
// race: lines 25 and 25, variable items, global
// race-also: lines 22 and 25, variable items, global
// repaired: clean
// Blocks append items: each looks how many there are, writes its own behind them, and sets the new
// number. Looking acquires and setting releases, so blocks that append one after the other are
// ordered. But if two look before either sets, both write the same slot.
// Repaired: taking the slot is one atomic operation.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int blocks = 6;
__device__ cuda::atomic<int, cuda::thread_scope_device> length{0};
__device__ int items[blocks];

__global__ void append()
{
#ifdef REPAIRED
    const int slot = length.fetch_add(1, cuda::memory_order_relaxed);
    items[slot] = 100 + blockIdx.x;
#else
    const int slot = length.load(cuda::memory_order_acquire);
    items[slot] = 100 + blockIdx.x;
    length.store(slot + 1, cuda::memory_order_release);
#endif
}

int main()
{
    append<<<blocks, 1>>>();
    int result[blocks], sum = 0;
    cudaMemcpyFromSymbol(result, items, sizeof result);
    for (int item : result) {
        sum += item;
    }
#ifdef REPAIRED
    if (sum != 100 * blocks + blocks * (blocks - 1) / 2) return 1;
#endif
    printf("appended\n");
    return 0;
}
