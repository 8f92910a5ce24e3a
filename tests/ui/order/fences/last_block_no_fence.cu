// verdict: race
// race: lines 21 and 30, variable partial, global
// repaired: clean
// The block that counts itself last adds the partial sums of all blocks.
// atomicInc() is relaxed, and the partial sum is written right before it: no release pattern.
// Repaired: a fence before the count and one after it. The counts are a chain of read-modify-writes, so
// the last one observes the release of every block; the barrier passes the order on to its threads.
#include <cuda/atomic>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int blocks = 5;
__device__ unsigned count;
__device__ int partial[blocks], total;

__global__ void reduce()
{
    __shared__ bool s_last;
    const int sum = __syncthreads_count(threadIdx.x % (blockIdx.x + 1) == 0);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
#ifdef REPAIRED
        __threadfence();
#endif
        s_last = atomicInc(&count, blocks - 1) == blocks - 1;
        __threadfence();
    }
    __syncthreads();
    if (s_last && threadIdx.x < blocks) {
        atomicAdd(&total, partial[threadIdx.x]);
    }
}

int main()
{
    reduce<<<blocks, 60>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, total, sizeof result);
    if (result != 60 + 30 + 20 + 15 + 12) return 1;
    printf("total %d\n", result);
    return 0;
}
