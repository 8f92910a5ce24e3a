// verdict: clean
// predict: 8
// Initialisation that is checked twice: first by an acquire, then under the lock. Whoever finds that it has
// been done comes after it, by the flag; whoever does not comes after it by the lock, or does it.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ cuda::atomic<int, cuda::thread_scope_device> initialised{0}, lock{0};
__device__ int table[4];
__device__ int sums[5];

__global__ void use()
{
    if (initialised.load(cuda::memory_order_acquire) == 0) {
        while (lock.exchange(1, cuda::memory_order_acquire) != 0) {
        }
        if (initialised.load(cuda::memory_order_relaxed) == 0) {
            for (int i = 0; i < 3; ++i) {
                table[i] = i + 1;
            }
            initialised.store(1, cuda::memory_order_release);
            table[3] = 4;
        }
        lock.store(0, cuda::memory_order_release);
    }
    sums[blockIdx.x] = table[0] + table[1] + table[2];
}

int main()
{
    use<<<5, 1>>>();
    int found[5];
    cudaMemcpyFromSymbol(found, sums, sizeof found);
    for (const int sum : found) {
        if (sum != 6) return 1;
    }
    printf("%d\n", found[0]);
    return 0;
}
