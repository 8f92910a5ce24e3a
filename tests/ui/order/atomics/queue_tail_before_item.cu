// verdict: race
// race: lines 22 and 38, variable items, global
// repaired: clean
// A work queue: a producer reserves a place by adding to the tail, and then writes the item there;
// consumers draw places from the head and wait until the tail has passed theirs.
// The tail says that a place is taken, not that it is filled: the item is written behind the release.
// Repaired: consumers wait for a flag of the place, which is released after the item.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Word = cuda::atomic<int, cuda::thread_scope_device>;
constexpr int count = 6;
__device__ Word head{0}, tail{0}, filled[count];
__device__ int items[count], total;

__global__ void work()
{
    if (blockIdx.x < 2) {
        for (int i = 0; i < count / 2; i++) {
            const int place = tail.fetch_add(1, cuda::memory_order_acq_rel);
            items[place] = i + 1;
#ifdef REPAIRED
            filled[place].store(1, cuda::memory_order_release);
#endif
        }
        return;
    }
    int place;
    while ((place = head.fetch_add(1, cuda::memory_order_relaxed)) < count) {
#ifdef REPAIRED
        while (filled[place].load(cuda::memory_order_acquire) == 0) {
        }
#else
        while (tail.load(cuda::memory_order_acquire) <= place) {
        }
#endif
        atomicAdd(&total, items[place]);
    }
}

int main()
{
    work<<<4, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, total, sizeof result);
#ifdef REPAIRED
    if (result != 12) return 1;
#endif
    printf("total %d\n", result);
    return 0;
}
