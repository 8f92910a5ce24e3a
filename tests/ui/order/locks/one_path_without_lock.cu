// verdict: race
// race: lines 28 and 34, variable stock, global
// repaired: clean
// Blocks take goods from a stock under a lock, and those with nothing to take only look at it.
// Looking takes no lock, so nothing orders the read with the updates of the holders.
// Repaired: looking takes the lock as well; each release is then read by the next acquire.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ cuda::atomic<bool, cuda::thread_scope_device> busy{false};
__device__ int stock = 100;
__device__ int looks[6];

__device__ void enter()
{
    while (busy.exchange(true, cuda::memory_order_acquire)) {
    }
}

__global__ void shop()
{
    const int wanted = blockIdx.x % 3;
    if (wanted == 0) {
#ifdef REPAIRED
        enter();
#endif
        looks[blockIdx.x] = stock;
#ifdef REPAIRED
        busy.store(false, cuda::memory_order_release);
#endif
    } else {
        enter();
        stock -= wanted;
        busy.store(false, cuda::memory_order_release);
    }
}

int main()
{
    shop<<<6, 1>>>();
    int left = 0, seen[6];
    cudaMemcpyFromSymbol(&left, stock, sizeof left);
    cudaMemcpyFromSymbol(seen, looks, sizeof seen);
    if (left != 94 || seen[0] < 94 || seen[3] > 100) return 1;
    printf("%d left\n", left);
    return 0;
}
