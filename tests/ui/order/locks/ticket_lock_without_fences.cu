// verdict: race
// race: lines 30 and 30, variable sum, global
// repaired: clean
// A ticket lock: the fence after taking it comes before the update, so that the unlocking addition
// releases what earlier holders have done, and not what this one did. Later holders of the same
// block have fences of their own between the two additions, and threads that wait add 0.
// Repaired: a fence before the unlocking addition.
#include <cstdio>
#include <cuda_runtime.h>

struct TicketLock {
    unsigned next, serving;
    __device__ void lock()
    {
        const unsigned ticket = atomicAdd(&next, 1u);
        while (atomicAdd(&serving, 0u) != ticket) __nanosleep(32);
        __threadfence();
    }
    __device__ void unlock()
    {
#ifdef REPAIRED
        __threadfence();
#endif
        atomicAdd(&serving, 1u);
    }
};
__device__ TicketLock ticket_lock;
__device__ long long sum;

__device__ void add(int value) { sum += value; }

__global__ void add_all()
{
    if (threadIdx.x % 16 != 0) return;
    ticket_lock.lock();
    add(blockIdx.x + 1);
    ticket_lock.unlock();
}

int main()
{
    add_all<<<6, 32>>>();
    long long result = 0;
    cudaMemcpyFromSymbol(&result, sum, sizeof result);
    if (result != 42) return 1;
    printf("sum %lld\n", result);
    return 0;
}
