// verdict: race
// race: lines 33 and 30, variable table, global
// repaired: clean
// Blocks wait for the last one: a thread polls a volatile flag, and a barrier in the loop tells the others.
// The table that the flag announces is plain, and nothing orders its writes before the reads.
// Repaired: fences between the writes and the flag, and between the flag and the reads.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 64;
constexpr int blocks = 8;

__device__ void wait_for(volatile int* flag)
{
    __shared__ int seen;
    do {
        if (threadIdx.x == 0) seen = *flag;
        __syncthreads();
    } while (__syncthreads_count(seen == 0) != 0);
#ifdef REPAIRED
    __threadfence();
#endif
}

__global__ void look_up(volatile int* flag, int* table, int* out)
{
    const int t = threadIdx.x;
    if (blockIdx.x + 1 < gridDim.x) {
        wait_for(flag);
        out[blockIdx.x * threads + t] = table[t];
        return;
    }
    table[t] = 2 * t;
#ifdef REPAIRED
    __threadfence();
#endif
    __syncthreads();
    if (t == 0) *flag = 1;
}

int main()
{
    int *flag, *table, *out;
    cudaMalloc(&flag, sizeof(int));
    cudaMalloc(&table, threads * sizeof(int));
    cudaMalloc(&out, blocks * threads * sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    look_up<<<blocks, threads>>>(flag, table, out);
    int last;
    cudaMemcpy(&last, out + (blocks - 1) * threads - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("%d\n", last);
    return last != 2 * (threads - 1);
}
