// verdict: race
// race: lines 26 and 26, variable counter, global
// repaired: clean
// Test and test-and-set: threads poll the lock by loads, and try to take it when it looks free.
// Both are relaxed: nothing that reads the lock is an acquire, so the releasing store of the holder
// before synchronises with nothing.
// Repaired: the exchange that takes the lock acquires; the polling loads may stay relaxed.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Word = cuda::atomic<int, cuda::thread_scope_device>;
#ifdef REPAIRED
constexpr auto take = cuda::memory_order_acquire;
#else
constexpr auto take = cuda::memory_order_relaxed;
#endif

__global__ void count(Word* lock, int* counter)
{
    for (int i = 0; i < 4; i++) {
        do {
            while (lock->load(cuda::memory_order_relaxed) != 0) {
            }
        } while (lock->exchange(1, take) != 0);
        *counter = *counter + 1;
        lock->store(0, cuda::memory_order_release);
    }
}

int main()
{
    Word* lock;
    int *counter, result = 0;
    cudaMalloc(&lock, sizeof(Word));
    cudaMalloc(&counter, sizeof(int));
    cudaMemset(lock, 0, sizeof(Word));
    cudaMemset(counter, 0, sizeof(int));
    count<<<4, 1>>>(lock, counter);
    cudaMemcpy(&result, counter, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(lock);
    cudaFree(counter);
    if (result != 16) return 1;
    printf("counted %d\n", result);
    return 0;
}
