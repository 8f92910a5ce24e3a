// verdict: race
// race: lines 39 and 48, variable partial, global
// repaired: clean
// Sum in one launch: the block that finishes last adds the partial sums of all blocks.
// Partial sums are published by __threadfence and a ticket. The last ticket must be received through
// a fence as well: the fence before it need not follow those of other blocks.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 128;
constexpr int blocks = 6;

__device__ unsigned int d_tickets = 0;

__device__ int block_sum(int value, int* s_warp)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffffu, value, offset);
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        s_warp[threadIdx.x / 32] = value;
    }
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < block_size / 32; w++) {
        sum += s_warp[w];
    }
    return sum;
}

__global__ void sum_all(const int* in, int* partial, int* result)
{
    __shared__ int s_warp[block_size / 32];
    __shared__ bool s_last;
    const int sum = block_sum(in[blockIdx.x * block_size + threadIdx.x], s_warp);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        s_last = atomicInc(&d_tickets, blocks - 1) == blocks - 1;
#ifdef REPAIRED
        __threadfence();
#endif
    }
    __syncthreads();
    if (s_last) {
        const int mine = threadIdx.x < blocks ? partial[threadIdx.x] : 0;
        const int total = block_sum(mine, s_warp);
        if (threadIdx.x == 0) {
            *result = total;
        }
    }
}

int main()
{
    const int n = block_size * blocks;
    std::vector<int> in(n);
    int expected = 0, result = 0;
    for (int i = 0; i < n; i++) {
        in[i] = i % 10;
        expected += in[i];
    }
    int *d_in, *d_partial, *d_result;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_partial, blocks * sizeof(int));
    cudaMalloc(&d_result, sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sum_all<<<blocks, block_size>>>(d_in, d_partial, d_result);
    cudaMemcpy(&result, d_result, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_partial);
    cudaFree(d_result);
    if (result != expected) {
        fprintf(stderr, "%d instead of %d\n", result, expected);
        return 1;
    }
    printf("sum %d\n", result);
    return 0;
}
