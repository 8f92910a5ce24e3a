// verdict: race
// race: lines 21 and 21, variable shared_sum, global
// repaired: clean
// A ticket lock with a volatile counter that only the holder increases.
// There is a fence before the increase, but none after the loop that polls it: no acquire pattern.
// Repaired: a fence after the loop. Only the holder writes the counter, so its volatile read and write
// are strong and ordered, and need not be one atomic operation.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int* ticket, volatile int* serving, int* shared_sum)
{
    if (threadIdx.x == 0) {
        const int mine = atomicAdd(ticket, 1);
        while (*serving != mine) {
            __nanosleep(20);
        }
#ifdef REPAIRED
        __threadfence();
#endif
        *shared_sum += mine;
        __threadfence();
        *serving = mine + 1;
    }
}

int main()
{
    const int blocks = 7;
    int *words, sum = 0;
    cudaMalloc(&words, 3 * sizeof(int));
    cudaMemset(words, 0, 3 * sizeof(int));
    add<<<blocks, 64>>>(words, words + 1, words + 2);
    cudaMemcpy(&sum, words + 2, sizeof sum, cudaMemcpyDeviceToHost);
    cudaFree(words);
    if (sum != blocks * (blocks - 1) / 2) return 1;
    printf("sum %d\n", sum);
    return 0;
}
