// verdict: race
// explore: 16
// race: lines 32 and 43, variable settings, global
// repaired: clean
// Settings are initialised by a block that finds them missing, under a lock. It does not look again
// once it has the lock. If two blocks find them missing, the second one writes them again, while others
// have found them complete, taken no lock, and read them. The race needs a block that is stopped between
// its look and the lock until another has initialised the settings and a third one has read them.
// Repaired: the block looks again under the lock.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Word = cuda::atomic<int, cuda::thread_scope_device>;
constexpr int blocks = 6;
__device__ Word complete{0}, lock{0};
__device__ int settings;
__device__ int results[blocks];

__device__ void initialise()
{
    if (complete.load(cuda::memory_order_acquire) != 0) {
        return;
    }
    while (lock.exchange(1, cuda::memory_order_acquire) != 0) {
    }
#ifdef REPAIRED
    if (complete.load(cuda::memory_order_relaxed) == 0) {
        settings = 5;
    }
#else
    settings = 5;
#endif
    complete.store(1, cuda::memory_order_release);
    lock.store(0, cuda::memory_order_release);
}

__global__ void run()
{
    initialise();
    // Who has waited for the lock has acquired the settings with it.
    results[blockIdx.x] =
        2 * settings + 1;
}

int main()
{
    run<<<blocks, 1>>>();
    int result[blocks];
    cudaMemcpyFromSymbol(result, results, sizeof result);
    for (int each : result) {
        if (each != 11) return 1;
    }
    printf("initialised\n");
    return 0;
}
