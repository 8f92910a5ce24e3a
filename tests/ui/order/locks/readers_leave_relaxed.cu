// verdict: race
// race: lines 24 and 38, variable page, global
// repaired: clean
// A reader-writer lock: readers count themselves in and out, the writer sets the count to -1 when it is
// 0. It waits until every reader has read once.
// Readers leave by a relaxed subtraction: the writer's acquire finds no release of their reads, and
// its write may overtake them.
// Repaired: leaving is a release. The subtractions are a chain, so the writer acquires all of them.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int readers = 3;
__device__ cuda::atomic<int, cuda::thread_scope_device> holders{0}, reads{0};
__device__ int page = 1, copies[readers];

__global__ void edit()
{
    int count = 0;
    if (blockIdx.x < readers) {
        while (count < 0 || !holders.compare_exchange_strong(count, count + 1, cuda::memory_order_acquire)) {
            count = holders.load(cuda::memory_order_relaxed);
        }
        copies[blockIdx.x] = page;
        reads.fetch_add(1, cuda::memory_order_relaxed);
#ifdef REPAIRED
        holders.fetch_sub(1, cuda::memory_order_release);
#else
        holders.fetch_sub(1, cuda::memory_order_relaxed);
#endif
        return;
    }
    while (reads.load(cuda::memory_order_relaxed) < readers) {
    }
    while (!holders.compare_exchange_weak(count, -1, cuda::memory_order_acquire)) {
        count = 0;
    }
    page = 2;
    holders.store(0, cuda::memory_order_release);
}

int main()
{
    edit<<<readers + 1, 1>>>();
    int now = 0, before[readers];
    cudaMemcpyFromSymbol(&now, page, sizeof now);
    cudaMemcpyFromSymbol(before, copies, sizeof before);
    for (int copy : before) {
        if (copy != 1) return 1;
    }
    return now != 2;
}
