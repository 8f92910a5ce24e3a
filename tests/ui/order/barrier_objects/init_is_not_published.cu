// verdict: race
// race: lines 18 and 27, variable bar, shared
// repaired: clean
// init() of a barrier is an ordinary store to the object, and must happen before its use by other
// threads (libcu++, cuda::barrier). A relaxed flag tells them that init() has run, but orders
// nothing, so init() and the first arrive() race.
// Repaired: __syncthreads() between init() and the first use.
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda_runtime.h>

__device__ cuda::atomic<int, cuda::thread_scope_device> made(0);

__global__ void meet(int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) {
        init(&bar, 64);
        made.store(1, cuda::memory_order_relaxed);
    }
#ifdef REPAIRED
    __syncthreads();
#else
    while (made.load(cuda::memory_order_relaxed) == 0) {
    }
#endif
    bar.arrive_and_wait();
    out[threadIdx.x] = threadIdx.x;
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    meet<<<1, 64>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (out[i] != i) return 1;
    }
#endif
    return 0;
}
