// verdict: race
// race: lines 20 and 30, variable s_buffer, shared
// repaired: clean
// Double buffering with one batch in advance. In the last round nothing new is committed, so
// __pipeline_wait_prior(1) there permits that the batch about to be read is incomplete: it waits for
// all but the newest commit.
// Repaired: a commit in every round, empty ones included, keeps the count right (CUDA guide).
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

__global__ void accumulate(const int* in, int* out, int rounds)
{
    __shared__ int s_buffer[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    __pipeline_memcpy_async(&s_buffer[0][t], &in[t], sizeof(int));
    __pipeline_commit();
    for (int i = 0; i < rounds; i++) {
        if (i + 1 < rounds) {
            __pipeline_memcpy_async(&s_buffer[(i + 1) % 2][t], &in[(i + 1) * 64 + t], sizeof(int));
#ifndef REPAIRED
            __pipeline_commit();
#endif
        }
#ifdef REPAIRED
        __pipeline_commit();
#endif
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s_buffer[i % 2][63 - t];
        __syncthreads();
    }
    out[t] = sum;
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 4 * 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 4 * 64; i++) in[i] = i;
    accumulate<<<1, 64>>>(in, out, 4);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (out[i] != 64 * 6 + 4 * (63 - i)) return 1;
    }
#endif
    return 0;
}
