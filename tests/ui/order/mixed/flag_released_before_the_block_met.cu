// verdict: race
// race: lines 17 and 31, variable parcel, global
// repaired: clean
// Block 0 packs a parcel and thread 0 releases a flag; block 1 acquires it and meets at its barrier.
// On the receiving side all is well. The sender's __syncthreads() comes after the flag, so the
// release covers the stores of thread 0 only.
// Repaired: the sender's barrier comes before the flag.
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ cuda::atomic<int, cuda::thread_scope_device> sent(0);

__global__ void deliver(int* parcel, int* out)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        if (t > 0) parcel[t - 1] = 8 * t;
#ifdef REPAIRED
        __syncthreads();
#endif
        if (t == 0) sent.store(1, cuda::memory_order_release);
#ifndef REPAIRED
        __syncthreads();
#endif
    } else {
        if (t == 0) {
            while (sent.load(cuda::memory_order_acquire) == 0) {
            }
        }
        __syncthreads();
        if (t < 63) out[t] = parcel[62 - t];
    }
}

int main()
{
    int *parcel, *out;
    cudaMallocManaged(&parcel, 63 * sizeof(int));
    cudaMallocManaged(&out, 63 * sizeof(int));
    deliver<<<2, 64>>>(parcel, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 63; i++) {
        if (out[i] != 8 * (63 - i)) return 1;
    }
#endif
    return 0;
}
