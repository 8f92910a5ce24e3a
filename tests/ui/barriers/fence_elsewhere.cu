// verdict: race
// race: lines 15 and 20, variable s_sum, shared
// repaired: clean
// The last block adds up the sums that the others published with a fence. The fence comes after
// the block's own sum, so it cannot order the accesses there, where a barrier is missing.
// Repaired: the barrier is added.
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned int finished;

__global__ void sum_blocks(const int* in, volatile int* partial, int* out)
{
    __shared__ int s_sum[64];
    s_sum[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
#ifdef REPAIRED
    __syncthreads();
#endif
    if (threadIdx.x < 32) {
        s_sum[threadIdx.x] += s_sum[threadIdx.x + 32];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 32; i++) {
            sum += s_sum[i];
        }
        partial[blockIdx.x] = sum;
        __threadfence();
        if (atomicInc(&finished, gridDim.x) == gridDim.x - 1) {
            int total = 0;
            for (int b = 0; b < gridDim.x; b++) {
                total += partial[b];
            }
            *out = total;
        }
    }
}

int main()
{
    const int blocks = 6;
    int *in, *out, *partial;
    cudaMalloc(&in, blocks * 64 * sizeof(int));
    cudaMalloc(&partial, blocks * sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMemset(in, 0, blocks * 64 * sizeof(int));
    sum_blocks<<<blocks, 64>>>(in, partial, out);
    int total = -1;
    cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost);
    std::printf("total %d\n", total);
    return total == 0 ? 0 : 1;
}
