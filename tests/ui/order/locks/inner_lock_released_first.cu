// verdict: race
// race: lines 34 and 39, variable tree, global
// repaired: clean
// Writers hold an outer and an inner lock; readers hold only the inner one.
// The inner lock is given back before the write, which the outer lock still guards: not for readers,
// who synchronise with the release of the inner one only.
// Repaired: the write comes before both releases.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

struct Mutex {
    cuda::atomic<int, cuda::thread_scope_device> word;
    __device__ void lock()
    {
        while (word.exchange(1, cuda::memory_order_acquire)) __nanosleep(10);
    }
    __device__ void unlock() { word.store(0, cuda::memory_order_release); }
};

__device__ Mutex outer, inner;
__device__ int tree, seen[6];

__global__ void grow()
{
    if (blockIdx.x % 2 == 0) {
        outer.lock();
        inner.lock();
#ifdef REPAIRED
        tree += 1;
        inner.unlock();
#else
        inner.unlock();
        tree += 1;
#endif
        outer.unlock();
    } else {
        inner.lock();
        seen[blockIdx.x] = tree;
        inner.unlock();
    }
}

int main()
{
    grow<<<6, 1>>>();
    int size = 0;
    cudaMemcpyFromSymbol(&size, tree, sizeof size);
    if (size != 3) return 1;
    printf("size %d\n", size);
    return 0;
}
