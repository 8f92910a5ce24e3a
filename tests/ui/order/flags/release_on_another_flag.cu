// verdict: race
// race: lines 20 and 30, variable picture, global
// repaired: clean
// The writer stores to two flags: a release to "drawn", then a relaxed store to "shown". The reader
// acquires "shown".
// A release operation starts a release pattern on its own location only; it is no fence for later
// stores to other locations. Nothing synchronises.
// Repaired: both stores go to one flag. A release followed by a strong store of the same thread to
// the same location is a release pattern, so reading the second value is enough.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ cuda::atomic<int, cuda::thread_scope_device> drawn{0}, shown{0};
__device__ int picture[8], seen;

__global__ void exhibit()
{
    if (blockIdx.x == 0) {
        for (int i = 0; i < 8; i++) picture[i] = i;
#ifdef REPAIRED
        shown.store(1, cuda::memory_order_release);
#else
        drawn.store(1, cuda::memory_order_release);
#endif
        shown.store(2, cuda::memory_order_relaxed);
    } else {
        while (shown.load(cuda::memory_order_acquire) != 2) {
        }
        for (int i = 0; i < 8; i++) seen += picture[i];
    }
}

int main()
{
    exhibit<<<2, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, seen, sizeof result);
    if (result != 28) return 1;
    printf("seen %d\n", result);
    return 0;
}
