// verdict: race
// race: lines 36 and 37, variable account, global
// repaired: clean
// Each block moves money from its account to the next one. Accounts have locks.
// The debit happens under the lock of the source, the credit under the lock of the source, too: the
// block that debits the same account holds another lock, and no release precedes its acquire.
// Repaired: both locks are taken, in the order of the accounts, so that nobody waits in a circle.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int n = 4;
__device__ cuda::atomic<int, cuda::thread_scope_device> locks[n];
__device__ int account[n];

__device__ void lock(int i)
{
    while (locks[i].exchange(1, cuda::memory_order_acquire)) {
    }
}

__device__ void unlock(int i)
{
    locks[i].store(0, cuda::memory_order_release);
}

__global__ void transfer()
{
    const int from = blockIdx.x, to = (from + 1) % n;
#ifdef REPAIRED
    lock(min(from, to));
    lock(max(from, to));
#else
    lock(from);
#endif
    account[from] -= 10;
    account[to] += 10 * (from + 1);
#ifdef REPAIRED
    unlock(to);
#endif
    unlock(from);
}

int main()
{
    transfer<<<n, 1>>>();
    int result[n];
    cudaMemcpyFromSymbol(result, account, sizeof result);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (result[i] != 10 * ((i + n - 1) % n + 1) - 10) return 1;
    }
#endif
    printf("%d in the last account\n", result[n - 1]);
    return 0;
}
