// verdict: race
// race: lines 28 and 28, variable done, global
// repaired: clean
// Blocks try to take a lock, and do other work if it is taken.
// The successful exchange is relaxed; the acquire order is given for the failure, where it is useless.
// Repaired: success acquires, and a failure may be relaxed.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Lock = cuda::atomic<int, cuda::thread_scope_device>;

__device__ bool try_lock(Lock& lock)
{
    int expected = 0;
#ifdef REPAIRED
    return lock.compare_exchange_strong(expected, 1, cuda::memory_order_acquire, cuda::memory_order_relaxed);
#else
    return lock.compare_exchange_strong(expected, 1, cuda::memory_order_relaxed, cuda::memory_order_acquire);
#endif
}

__global__ void work(Lock* lock, int* done, int* idle)
{
    while (!try_lock(*lock)) {
        atomicAdd(idle, 1);
    }
    *done += 1;
    lock->store(0, cuda::memory_order_release);
}

int main()
{
    Lock* lock;
    int *done, result = 0;
    cudaMalloc(&lock, sizeof(Lock));
    cudaMalloc(&done, 2 * sizeof(int));
    cudaMemset(lock, 0, sizeof(Lock));
    cudaMemset(done, 0, 2 * sizeof(int));
    work<<<6, 1>>>(lock, done, done + 1);
    cudaMemcpy(&result, done, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(lock);
    cudaFree(done);
    if (result != 6) return 1;
    printf("%d done\n", result);
    return 0;
}
