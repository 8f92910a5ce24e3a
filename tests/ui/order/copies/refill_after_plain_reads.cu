// verdict: race
// race: lines 16 and 29, variable s_line, shared
// repaired: clean
// One thread fetches a line of shared memory by asynchronous copies, round by round. All threads read
// it, and the copy of the next round begins without a barrier after these reads.
// The thread waits for each copy, but no wait can order the reads of others before the next copy.
// Repaired: a __syncthreads() between the reads and the next copy.
#include <cstdio>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

constexpr int threads = 64, rounds = 3;

__device__ void fetch(int* line, const int* in)
{
    for (int i = 0; i < threads; i += 4) __pipeline_memcpy_async(&line[i], &in[i], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

__global__ void sums(const int* in, int* out)
{
    __shared__ alignas(16) int s_line[threads];
    const int t = threadIdx.x;
    int sum = 0;
    for (int round = 0; round < rounds; round++) {
        if (t == threads - 1) fetch(s_line, in + round * threads);
        __syncthreads();
        sum += s_line[threads - 1 - t];
#ifdef REPAIRED
        __syncthreads();
#endif
    }
    out[t] = sum;
}

int main()
{
    int host[threads * rounds], *in, *out;
    for (int i = 0; i < threads * rounds; i++) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, threads * sizeof(int));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sums<<<1, threads>>>(in, out);
    cudaMemcpy(host, out, threads * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
#ifdef REPAIRED
    if (host[0] != 3 * (threads - 1) + threads * 3) return 1;
#endif
    printf("%d\n", host[0]);
    return 0;
}
