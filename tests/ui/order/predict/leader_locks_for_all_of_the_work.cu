// verdict: clean
// predict: 8
// One thread takes a lock for its block, the threads of the block add to a table between two barriers, and
// one of them adds to a sum after the first barrier. All that is in the section of the lock, though only
// one thread has taken it.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 64, blocks = 4;
__device__ int lock = 0;
__device__ int table[threads];
__device__ int sum = 0, largest = 0;

__global__ void work()
{
    const int t = threadIdx.x;
    if (t == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncthreads();
    table[t] += t;
    if (t == 40) {
        sum += table[t];
        if (sum > largest) largest = sum;
    }
    __syncthreads();
    if (t == 0) {
        __threadfence();
        atomicExch(&lock, 0);
    }
}

int main()
{
    work<<<blocks, threads>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, sum, sizeof result);
    if (result != 40 * (1 + 2 + 3 + 4)) return 1;
    printf("%d\n", result);
    return 0;
}
