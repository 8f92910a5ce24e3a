// verdict: race
// race: lines 16 and 31, variable weights, global
// repaired: clean
// Thread 0 of the consumer block acquires a flag for its block.
// The other threads do not wait for thread 0, so they may read the weights before it has acquired.
// Repaired: __syncthreads() puts the reads of all threads after the acquire.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int n = 64;

__global__ void apply(float* weights, unsigned* flag, float* out)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        weights[t] = 1.0f / (t + 1);
        __syncthreads();
        if (t == 0) {
            __threadfence();
            atomicExch(flag, 1u);
        }
    } else {
        if (t == 0) {
            while (atomicCAS(flag, 1u, 1u) == 0) {
            }
            __threadfence();
        }
#ifdef REPAIRED
        __syncthreads();
#endif
        out[t] = weights[t] * (t + 1);
    }
}

int main()
{
    float *weights, *out, result[n];
    unsigned* flag;
    cudaMalloc(&weights, sizeof result);
    cudaMalloc(&out, sizeof result);
    cudaMalloc(&flag, sizeof(unsigned));
    cudaMemset(weights, 0, sizeof result);
    cudaMemset(flag, 0, sizeof(unsigned));
    apply<<<2, n>>>(weights, flag, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(weights);
    cudaFree(out);
    cudaFree(flag);
#ifdef REPAIRED
    for (int t = 0; t < n; t++) {
        if (result[t] < 0.999f || result[t] > 1.001f) return 1;
    }
#endif
    printf("applied to %d elements\n", n);
    return 0;
}
