// verdict: race
// race: lines 21 and 24, variable maximum, global
// repaired: clean
// A maximum of floats by a loop of atomicCAS(), which begins with a plain read.
// The weak read is unordered with the swaps of other threads. That a stale value only costs a round does
// not make it morally strong.
// Repaired: the first value comes from a relaxed atomic load.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ int maximum;

__global__ void raise()
{
    const float mine = 1.0f + blockIdx.x;
#ifdef REPAIRED
    cuda::atomic_ref<int, cuda::thread_scope_device> shared_maximum(maximum);
    int old = shared_maximum.load(cuda::memory_order_relaxed);
#else
    int old = maximum;
#endif
    while (__int_as_float(old) < mine) {
        const int seen = atomicCAS(&maximum, old, __float_as_int(mine));
        if (seen == old) break;
        old = seen;
    }
}

int main()
{
    raise<<<6, 1>>>();
    float result = 0;
    cudaMemcpyFromSymbol(&result, maximum, sizeof result);
    if (result != 6) return 1;
    printf("maximum %.0f\n", result);
    return 0;
}
