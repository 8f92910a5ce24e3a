// verdict: race
// race: lines 20 and 23, variable balance, global
// repaired: clean
// A binary semaphore of device scope is a lock for the balance: acquire() synchronises with the
// release() before it. The racy form looks at the balance before it takes the lock.
// Repaired: all accesses are between acquire() and release().
#include <cuda/semaphore>
#include <cuda_runtime.h>

__device__ cuda::binary_semaphore<cuda::thread_scope_device> lock(1);
__device__ int balance;

__global__ void deposit(int amount)
{
    if (threadIdx.x != 0) return;
#ifdef REPAIRED
    lock.acquire();
    const int before = balance;
#else
    const int before = balance;
    lock.acquire();
#endif
    balance = before + amount;
    lock.release();
}

int main()
{
    deposit<<<6, 32>>>(7);
    cudaDeviceSynchronize();
    int result = 0;
    cudaMemcpyFromSymbol(&result, balance, sizeof result);
#ifdef REPAIRED
    if (result != 6 * 7) return 1;
#endif
    return 0;
}
