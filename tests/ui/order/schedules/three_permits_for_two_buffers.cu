// verdict: race
// explore: 16
// race: lines 31 and 31, variable buffers, global
// repaired: clean
// A semaphore admits as many blocks as there are buffers, and who finds the first one in use takes the
// second. But there are three permits for two buffers: the third block inside takes a buffer that is
// in use. The race needs two blocks that are stopped inside, one in each buffer, when a third comes.
// Repaired: two permits. Who is inside then has acquired what the last user of its buffer released.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/semaphore>
#include <cuda_runtime.h>

constexpr int blocks = 6;
using Semaphore = cuda::counting_semaphore<cuda::thread_scope_device, 3>;
#ifdef REPAIRED
__device__ Semaphore permits(2);
#else
__device__ Semaphore permits(3);
#endif
__device__ cuda::atomic<int, cuda::thread_scope_device> first_in_use{0};
__device__ int buffers[2];

__global__ void use()
{
    permits.acquire();
    int chosen = 1;
    if (first_in_use.exchange(1, cuda::memory_order_acquire) == 0) {
        chosen = 0;
    }
    buffers[chosen] = buffers[chosen] + 1;
    if (chosen == 0) {
        first_in_use.store(0, cuda::memory_order_release);
    }
    permits.release();
}

int main()
{
    use<<<blocks, 1>>>();
    int used[2];
    cudaMemcpyFromSymbol(used, buffers, sizeof used);
#ifdef REPAIRED
    if (used[0] + used[1] != blocks) return 1;
#endif
    printf("used\n");
    return 0;
}
