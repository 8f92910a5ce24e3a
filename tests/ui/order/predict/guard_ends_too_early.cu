// verdict: possible
// possible: lines 43 and 53, variable pending, global
// predict: 8
// repaired: clean
// A guard object holds a lock until its block ends. The consumer's block ends before its last access,
// and the producer's begins after its first.
// Repaired: both blocks contain all accesses.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

struct Mutex {
    cuda::atomic<unsigned, cuda::thread_scope_device> owner{0};

    __device__ void lock(unsigned me)
    {
        unsigned nobody = 0;
        while (!owner.compare_exchange_weak(nobody, me, cuda::memory_order_acquire, cuda::memory_order_relaxed)) {
            nobody = 0;
        }
    }
    __device__ void unlock() { owner.store(0, cuda::memory_order_release); }
};

struct Guard {
    Mutex& mutex;
    __device__ Guard(Mutex& of, unsigned me) : mutex(of) { mutex.lock(me); }
    __device__ ~Guard() { mutex.unlock(); }
};

__device__ Mutex mutex;
__device__ int pending = 0, orders = 0, taken = 0;

__global__ void shop()
{
    const unsigned me = blockIdx.x + 1;
    if (me == 1) {
#ifdef REPAIRED
        Guard guard(mutex, me);
        pending = 3;
        orders++;
#else
        pending = 3;
        Guard guard(mutex, me);
        orders++;
#endif
    } else {
        {
            Guard guard(mutex, me);
            orders++;
#ifndef REPAIRED
        }
        taken = pending;
#else
            taken = pending;
        }
#endif
    }
}

int main()
{
    shop<<<2, 1>>>();
    int count = 0, seen = 0;
    cudaMemcpyFromSymbol(&count, orders, sizeof count);
    cudaMemcpyFromSymbol(&seen, taken, sizeof seen);
    if (count != 2 || (seen != 0 && seen != 3)) return 1;
    printf("%d\n", seen);
    return 0;
}
