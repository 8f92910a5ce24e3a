// verdict: possible
// possible: lines 30 and 44, variable balance, global
// predict: 8
// repaired: clean
// Two functions protect the balance by two different locks, that of the ledger and that of the audit.
// Both also write to a log, under its lock, and in the natural order of blocks the log hands the
// balance over.
// Repaired: the audit takes the lock of the ledger.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Lock = cuda::atomic<int, cuda::thread_scope_device>;
__device__ Lock ledger{0}, audits{0}, journal{0};
__device__ int balance = 100, lines = 0, audited = 0;

__device__ void take(Lock* lock)
{
    while (lock->exchange(1, cuda::memory_order_acquire) != 0) {
    }
}

__device__ void give(Lock* lock) { lock->store(0, cuda::memory_order_release); }

__device__ void note() { take(&journal); lines += 1; give(&journal); }

__device__ void deposit(int amount)
{
    take(&ledger);
    balance += amount;
    give(&ledger);
    note();
}

__device__ void audit()
{
    note();
#ifdef REPAIRED
    Lock* const lock = &ledger;
#else
    Lock* const lock = &audits;
#endif
    take(lock);
    audited = balance;
    give(lock);
}

__global__ void bank()
{
    if (blockIdx.x == 0) deposit(5);
    if (blockIdx.x == 1) audit();
}

int main()
{
    bank<<<2, 1>>>();
    int seen = 0, noted = 0;
    cudaMemcpyFromSymbol(&seen, audited, sizeof seen);
    cudaMemcpyFromSymbol(&noted, lines, sizeof noted);
    if (noted != 2 || (seen != 100 && seen != 105)) return 1;
    printf("%d\n", seen);
    return 0;
}
