// verdict: clean
// predict: 8
// The last block to count itself sums what all blocks have written. The counter tells it that it is the
// last one, so no schedule lets it read earlier; and it resets the counter.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int blocks = 6, threads = 32;
__device__ int partial[blocks];
__device__ unsigned arrived = 0;
__device__ int total = 0;

__global__ void reduce()
{
    __shared__ bool s_last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        s_last = atomicInc(&arrived, blocks - 1) == blocks - 1;
    }
    __syncthreads();
    if (!s_last) return;
    __threadfence();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < blocks; ++i) {
            sum += partial[i];
        }
        total += sum;
        arrived = 0;
    }
}

int main()
{
    reduce<<<blocks, threads>>>();
    reduce<<<blocks, threads>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, total, sizeof result);
    if (result != 42) return 1;
    printf("%d\n", result);
    return 0;
}
