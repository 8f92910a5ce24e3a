// verdict: race
// race: lines 29 and 29, variable visits, global
// repaired: clean
// A counting semaphore with two permits lets two threads into the section at once; acquire()
// synchronises with release(), not with another acquire(). The racy form waits inside until both
// are there, by relaxed atomics, which order nothing, so that the overlap always happens.
// Repaired: one permit, so the second acquire() follows the first release().
#include <cuda/atomic>
#include <cuda/semaphore>
#include <cuda_runtime.h>

using Semaphore = cuda::counting_semaphore<cuda::thread_scope_device, 2>;
#ifdef REPAIRED
__device__ Semaphore section(1);
#else
__device__ Semaphore section(2);
__device__ cuda::atomic<int, cuda::thread_scope_device> inside(0);
#endif
__device__ int visits;

__global__ void visit()
{
    section.acquire();
#ifndef REPAIRED
    inside.fetch_add(1, cuda::memory_order_relaxed);
    while (inside.load(cuda::memory_order_relaxed) < 2) {
    }
#endif
    visits = visits + 1;
    section.release();
}

int main()
{
    visit<<<2, 1>>>();
    cudaDeviceSynchronize();
    int result = 0;
    cudaMemcpyFromSymbol(&result, visits, sizeof result);
#ifdef REPAIRED
    if (result != 2) return 1;
#endif
    return 0;
}
