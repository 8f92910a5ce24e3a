// verdict: race
// race: lines 44 and 44, variable account, global
// race: lines 45 and 45, variable account, global
// repaired: clean
// A lock by the functions that take pointers: __nv_atomic_compare_exchange takes it, __nv_atomic_store frees it.
// It is taken with relaxed order, so what is done under the lock may begin before.
// Repaired: taking the lock acquires it.
#include <cstdio>
#include <cuda_runtime.h>

struct Account {
    int balance, changes;
};

__device__ int lock;
__device__ Account account;

__device__ void take()
{
    bool mine = false;
    int taken = 1;
    while (!mine) {
        int expected = 0;
#ifdef REPAIRED
        mine = __nv_atomic_compare_exchange(&lock, &expected, &taken, false, __NV_ATOMIC_ACQUIRE,
                                            __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
#else
        mine = __nv_atomic_compare_exchange(&lock, &expected, &taken, false, __NV_ATOMIC_RELAXED,
                                            __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
#endif
    }
}

__device__ void release()
{
    int free = 0;
    __nv_atomic_store(&lock, &free, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

__global__ void deposit()
{
    if (threadIdx.x == 0) {
        take();
        account.balance += 10;
        account.changes += 1;
        release();
    }
}

int main()
{
    deposit<<<8, 32>>>();
    Account result;
    cudaMemcpyFromSymbol(&result, account, sizeof result);
    if (result.balance != 80 || result.changes != 8) return 1;
    printf("balance %d\n", result.balance);
    return 0;
}
