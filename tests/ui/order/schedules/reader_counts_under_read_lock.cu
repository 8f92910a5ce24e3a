// verdict: race
// explore: 16
// race: lines 30 and 30, variable lookups, global
// repaired: clean
// A reader-writer lock: readers count themselves in and out. Each counts its lookup by a plain update,
// which a lock that several readers may hold does not order. If one reader leaves before the next one
// comes, leaving is a release and coming an acquire of it: the race needs two of them inside.
// Repaired: the lookups are counted by an atomic operation.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int readers = 5;
__device__ cuda::atomic<int, cuda::thread_scope_device> holders{0};
__device__ int table[4] = {1, 2, 3, 4};
__device__ int lookups;

__global__ void look_up(int* out)
{
    int count = holders.load(cuda::memory_order_relaxed);
    do {
        while (count < 0) {
            count = holders.load(cuda::memory_order_relaxed);
        }
    } while (!holders.compare_exchange_weak(count, count + 1, cuda::memory_order_acquire));
    out[blockIdx.x] = table[blockIdx.x % 4];
#ifdef REPAIRED
    atomicAdd(&lookups, 1);
#else
    lookups++;
#endif
    holders.fetch_sub(1, cuda::memory_order_release);
}

int main()
{
    int *out, count = 0;
    cudaMalloc(&out, readers * sizeof(int));
    look_up<<<readers, 1>>>(out);
    cudaMemcpyFromSymbol(&count, lookups, sizeof count);
    cudaFree(out);
#ifdef REPAIRED
    if (count != readers) return 1;
#endif
    printf("looked up\n");
    return 0;
}
