// verdict: race
// race: lines 30 and 37, variable letter, global
// repaired: clean
// Two blocks exchange letters through one box: the sender waits until the box is empty, the receiver
// until it is full. Full is published by a fence on both sides.
// Empty is a bare volatile store: nothing orders the receiver's read before the next letter.
// Repaired: a fence before the store and one after the sender's loop, release and acquire patterns.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int letters = 5;
__device__ int letter;
__device__ volatile int full;
__device__ int read_sum;

__device__ void fence()
{
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
}

__global__ void post()
{
    for (int i = 1; i <= letters; i++) {
        if (blockIdx.x == 0) {
            while (full) {
            }
#ifdef REPAIRED
            fence();
#endif
            letter = i;
            fence();
            full = 1;
        } else {
            while (!full) {
            }
            fence();
            read_sum += letter;
#ifdef REPAIRED
            fence();
#endif
            full = 0;
        }
    }
}

int main()
{
    post<<<2, 1>>>();
    int sum = 0;
    cudaMemcpyFromSymbol(&sum, read_sum, sizeof sum);
    if (sum != letters * (letters + 1) / 2) return 1;
    printf("sum %d\n", sum);
    return 0;
}
