// verdict: race
// race: lines 18 and 29, variable result, global
// repaired: clean
// A releasing store of device scope; the reader polls relaxed and has an acquire fence of block scope.
// The fence ends the acquire pattern, and its scope does not include the writer: not morally strong with
// the release.
// Repaired: the fence has device scope.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ cuda::atomic<int, cuda::thread_scope_device> finished{0};
__device__ int result, out[3];

__global__ void compute()
{
    if (blockIdx.x == 1) {
        result = 1234;
        finished.store(1, cuda::memory_order_release);
        return;
    }
    while (!finished.load(cuda::memory_order_relaxed)) {
    }
#ifdef REPAIRED
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
#else
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_block);
#endif
    out[blockIdx.x] = result;
}

int main()
{
    compute<<<3, 1>>>();
    int seen[3];
    cudaMemcpyFromSymbol(seen, out, sizeof seen);
    if (seen[0] != 1234 || seen[2] != 1234) return 1;
    printf("%d\n", seen[0]);
    return 0;
}
