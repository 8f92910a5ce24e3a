// verdict: race
// race: lines 17 and 23, variable s_row, shared
// repaired: clean
// Each thread fetches an element by a pipeline of thread scope and waits for it. That makes the copy
// visible to the thread itself; the copies of its neighbours are only known to have completed
// after these have waited and all have met at a barrier.
// Repaired: __syncthreads() after the wait, and after the reads, before the next row arrives.
#include <cuda/pipeline>
#include <cuda_runtime.h>

__global__ void blur(const int* in, int* out)
{
    __shared__ int s_row[64];
    const int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&s_row[t], &in[blockIdx.x * 64 + t], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
#ifdef REPAIRED
    __syncthreads();
#endif
    const int sum = s_row[(t + 63) % 64] + s_row[(t + 1) % 64];
    pipe.consumer_release();
    out[blockIdx.x * 64 + t] = sum;
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&out, 128 * sizeof(int));
    for (int i = 0; i < 128; i++) in[i] = i * i;
    blur<<<2, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 128; i++) {
        const int base = i / 64 * 64, left = base + (i + 63) % 64, right = base + (i + 1) % 64;
        if (out[i] != left * left + right * right) return 1;
    }
#endif
    return 0;
}
