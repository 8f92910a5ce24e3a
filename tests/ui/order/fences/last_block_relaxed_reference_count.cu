// verdict: race
// race: lines 18 and 26, variable buffer, global
// repaired: clean
// Blocks drop their references to a buffer; the one that drops the last one reads what all wrote.
// fetch_sub() is a release only. The last one must also acquire the releases of the others.
// Repaired: acq_rel, so that the last read-modify-write is release and acquire at once.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int blocks = 4;
__device__ cuda::atomic<int, cuda::thread_scope_device> references{blocks};
__device__ int buffer[blocks];
__device__ int contents;

__global__ void use()
{
    buffer[blockIdx.x] = 1 << blockIdx.x;
#ifdef REPAIRED
    const int before = references.fetch_sub(1, cuda::memory_order_acq_rel);
#else
    const int before = references.fetch_sub(1, cuda::memory_order_release);
#endif
    if (before == 1) {
        for (int b = 0; b < blocks; b++) {
            contents |= buffer[b];
        }
    }
}

int main()
{
    use<<<blocks, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, contents, sizeof result);
    if (result != 15) return 1;
    printf("contents %d\n", result);
    return 0;
}
