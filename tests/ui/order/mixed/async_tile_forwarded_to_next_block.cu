// verdict: race
// race: lines 19 and 25, variable s_in, shared
// repaired: clean
// Block 0 fetches a tile asynchronously and forwards it to block 1 through global memory and a flag.
// The flag and its __syncthreads() order the forwarded stores. The tile in shared memory is read
// with a block barrier only, which does not wait for the copies.
// Repaired: each thread waits for its copies before that barrier.
#include <cuda/atomic>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

__device__ cuda::atomic<int, cuda::thread_scope_device> forwarded(0);

__global__ void relay(const int* in, int* middle, int* out)
{
    __shared__ int s_in[64];
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        __pipeline_memcpy_async(&s_in[t], &in[t], sizeof(int));
        __pipeline_commit();
#ifdef REPAIRED
        __pipeline_wait_prior(0);
#endif
        __syncthreads();
        middle[t] = s_in[t ^ 33];
        __syncthreads();
        if (t == 0) forwarded.store(1, cuda::memory_order_release);
    } else {
        while (forwarded.load(cuda::memory_order_acquire) == 0) {
        }
        out[t] = middle[t ^ 33] + 1;
    }
}

int main()
{
    int *in, *middle, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&middle, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i * 5;
    relay<<<2, 64>>>(in, middle, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (out[i] != in[i] + 1) return 1;
    }
#endif
    return 0;
}
