// verdict: race
// race: lines 28 and 40, variable settings, global
// repaired: clean
// Settings are initialised by the first block that takes the lock; blocks that find them initialised
// skip the lock. The other blocks come when the first one is through.
// The fast path reads the state relaxed: no acquire pattern matches the release of the initialiser.
// Repaired: the check acquires.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Word = cuda::atomic<int, cuda::thread_scope_device>;
__device__ Word state{0}, lock{0}, through{0};
__device__ int settings[1];
__device__ int sums[4];

__device__ void initialise()
{
#ifdef REPAIRED
    const auto order = cuda::memory_order_acquire;
#else
    const auto order = cuda::memory_order_relaxed;
#endif
    if (state.load(order) == 0) {
        while (lock.exchange(1, cuda::memory_order_acquire)) {
        }
        if (state.load(cuda::memory_order_relaxed) == 0) {
            settings[0] = 5;
            state.store(1, cuda::memory_order_release);
        }
        lock.store(0, cuda::memory_order_release);
    }
}

__global__ void run()
{
    while (blockIdx.x > 0 && through.load(cuda::memory_order_relaxed) == 0) {
    }
    initialise();
    sums[blockIdx.x] = 2 * settings[0] + 1;
    through.store(1, cuda::memory_order_relaxed);
}

int main()
{
    run<<<4, 1>>>();
    int result[4];
    cudaMemcpyFromSymbol(result, sums, sizeof result);
    for (int sum : result) {
        if (sum != 11) return 1;
    }
    printf("initialised once\n");
    return 0;
}
