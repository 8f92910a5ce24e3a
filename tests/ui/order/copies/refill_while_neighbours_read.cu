// verdict: race
// race: lines 16 and 20, variable s_window, shared
// repaired: clean
// Each round fills a window by asynchronous copies, waits, and meets at a barrier. The loads of the
// neighbour's element are followed by no barrier, so the copies of the next round race with them.
// Repaired: a second __syncthreads() per round; the copies that are issued after it, start after it.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

__global__ void windows(const int* in, int* out, int rounds)
{
    __shared__ int s_window[96];
    const int t = threadIdx.x;
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        __pipeline_memcpy_async(&s_window[t], &in[i * 96 + t], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        sum += s_window[(t + 33) % 96];
#ifdef REPAIRED
        __syncthreads();
#endif
    }
    out[t] = sum;
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 3 * 96 * sizeof(int));
    cudaMallocManaged(&out, 96 * sizeof(int));
    for (int i = 0; i < 3 * 96; i++) in[i] = i;
    windows<<<1, 96>>>(in, out, 3);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 96; i++) {
        if (out[i] != 96 * 3 + 3 * ((i + 33) % 96)) return 1;
    }
#endif
    return 0;
}
