// verdict: race
// race: lines 24 and 23, variable prefix, global
// repaired: clean
// Each block waits for the flag of the block before it and then continues its prefix sums. Thread 0
// acquires the flag, and all threads use the previous block's last sums; those other than thread 0
// have neither acquired the flag nor met thread 0 since.
// Repaired: a __syncthreads() after the flag.
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ cuda::atomic<int, cuda::thread_scope_device> done(0);

__global__ void columns(const int* in, int* prefix)
{
    const int b = blockIdx.x, t = threadIdx.x;
    if (t == 0) {
        while (done.load(cuda::memory_order_acquire) < b) {
        }
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    const int before = b == 0 ? 0 : prefix[(b - 1) * 32 + t];
    prefix[b * 32 + t] = before + in[b * 32 + t];
    __syncthreads();
    if (t == 0) done.store(b + 1, cuda::memory_order_release);
}

int main()
{
    int *in, *prefix;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&prefix, 128 * sizeof(int));
    for (int i = 0; i < 128; i++) in[i] = i;
    columns<<<4, 32>>>(in, prefix);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int b = 0; b < 4; b++) {
        for (int t = 0; t < 32; t++) {
            if (prefix[b * 32 + t] != (b + 1) * t + 32 * b * (b + 1) / 2) return 1;
        }
    }
#endif
    return 0;
}
