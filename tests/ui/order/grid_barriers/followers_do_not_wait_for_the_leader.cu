// verdict: race
// race: lines 35 and 36, variable wave, global
// repaired: clean
// A reusable grid barrier: the last block to arrive resets the count and advances the phase. In each
// block thread 0 waits for the phase; the other threads meet it before, but not behind it, and
// run ahead into the next step.
// Repaired: a __syncthreads() at the end of the barrier, too.
#include <cuda/atomic>
#include <cuda_runtime.h>

using Word = cuda::atomic<unsigned, cuda::thread_scope_device>;
__device__ Word count(0), phase(0);

__device__ void grid_barrier()
{
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned now = phase.load(cuda::memory_order_relaxed);
        if (count.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1) {
            count.store(0, cuda::memory_order_relaxed);
            phase.store(now + 1, cuda::memory_order_release);
        }
        while (phase.load(cuda::memory_order_acquire) == now) {
        }
    }
#ifdef REPAIRED
    __syncthreads();
#endif
}

__global__ void advance(int* wave, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < 3; step++) {
        const int right = wave[step * n + (i + 32) % n];
        wave[(step + 1) * n + i] = right + 1;
        grid_barrier();
    }
}

int main()
{
    const int n = 3 * 32;
    int* wave;
    cudaMallocManaged(&wave, 4 * n * sizeof(int));
    for (int i = 0; i < 4 * n; i++) wave[i] = i % n;
    advance<<<3, 32>>>(wave, n);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (wave[3 * n + i] != i + 3) return 1;
    }
#endif
    return 0;
}
