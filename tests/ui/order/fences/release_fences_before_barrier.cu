// verdict: race
// race: lines 26 and 41, variable tile, global
// repaired: clean
// Every thread writes, fences, and meets the others; then thread 0 raises a relaxed flag.
// The release pattern of the flag begins at the fence of thread 0, which comes before the barrier: the
// writes of the other threads are before the flag, but not before that fence. (With fence.sc in all
// threads and in the reader, the order of the fences would help. These are fence.acq_rel.)
// Repaired: thread 0 fences after the barrier, and its fence is cumulative.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int n = 64;
__device__ int tile[n], sum;
__device__ cuda::atomic<int, cuda::thread_scope_device> flag{0};

__device__ void fence()
{
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
}

__global__ void publish()
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        tile[t] = t;
#ifndef REPAIRED
        fence();
#endif
        __syncthreads();
        if (t == 0) {
#ifdef REPAIRED
            fence();
#endif
            flag.store(1, cuda::memory_order_relaxed);
        }
    } else if (t == 0) {
        while (flag.load(cuda::memory_order_relaxed) == 0) {
        }
        fence();
        for (int i = 0; i < n; i++) sum += tile[i];
    }
}

int main()
{
    publish<<<2, n>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, sum, sizeof result);
    if (result != n * (n - 1) / 2) return 1;
    printf("sum %d\n", result);
    return 0;
}
