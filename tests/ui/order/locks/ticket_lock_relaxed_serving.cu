// verdict: race
// race: lines 38 and 38, variable log_length, global
// repaired: clean
// A ticket lock of two cuda::atomic counters; the holder passes it on by increasing "serving".
// The increase is relaxed: the waiters acquire it, but no release pattern publishes the update.
// Repaired: the increase is a release, which every waiter's acquire observes directly or through the
// increases by the holders in between.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

struct TicketLock {
    cuda::atomic<unsigned, cuda::thread_scope_device> next, serving;

    __device__ void lock()
    {
        const unsigned ticket = next.fetch_add(1, cuda::memory_order_relaxed);
        while (serving.load(cuda::memory_order_acquire) != ticket) {
        }
    }
    __device__ void unlock()
    {
#ifdef REPAIRED
        serving.fetch_add(1, cuda::memory_order_release);
#else
        serving.fetch_add(1, cuda::memory_order_relaxed);
#endif
    }
};

__device__ TicketLock lock;
__device__ int log_length;

__global__ void append(int times)
{
    for (int i = 0; i < times; i++) {
        lock.lock();
        log_length += 2;
        lock.unlock();
    }
}

int main()
{
    append<<<5, 1>>>(3);
    int result = 0;
    cudaMemcpyFromSymbol(&result, log_length, sizeof result);
    if (result != 30) return 1;
    printf("%d\n", result);
    return 0;
}
