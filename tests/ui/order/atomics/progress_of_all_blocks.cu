// verdict: race
// race: lines 14 and 18, variable done, global
// repaired: clean
// All threads count themselves by atomicAdd, and the last thread of each block looks at the counter
// without an atomic operation. Threads of its own block race with the look, and those of others do,
// too: a barrier of the block is no repair.
// Repaired: the look is an atomic operation that adds nothing.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void count(int* done, volatile int* seen)
{
    if (threadIdx.x < blockDim.x - 1) {
        atomicAdd(done, 1);
    } else {
#ifndef REPAIRED
        __threadfence();
        seen[blockIdx.x] = *done;
#else
        seen[blockIdx.x] = atomicAdd(done, 0);
#endif
    }
}

int main()
{
    int *done, *seen, result[3];
    cudaMalloc(&done, sizeof(int));
    cudaMalloc(&seen, sizeof result);
    cudaMemset(done, 0, sizeof(int));
    count<<<3, 64>>>(done, seen);
    cudaMemcpy(result, seen, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(done);
    cudaFree(seen);
    for (int value : result) {
        if (value < 0 || value > 3 * 63) return 1;
    }
    printf("%d\n", result[2]);
    return 0;
}
