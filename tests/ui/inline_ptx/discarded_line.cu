// verdict: race
// race: lines 15 and 18, variable words, global
// repaired: clean
// nvcc: -arch=sm_80
// A thread discards a line, which another warp fills: `discard` is a write of any values.
// Repaired: a barrier comes between the two.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void refill(unsigned* words)
{
    const unsigned t = threadIdx.x;
    if (t == 0) {
        // 32 words are a line.
        asm volatile("discard.global.L2 [%0], 128;" : : "l"(words) : "memory");
    }
#ifndef REPAIRED
    if (t >= 32) words[t - 32] = t;
#else
    __syncthreads();
    if (t >= 32) words[t - 32] = t;
#endif
}

int main()
{
    unsigned* words;
    cudaMallocManaged(&words, 128);
    refill<<<1, 64>>>(words);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < 32; i++) {
        if (words[i] != i + 32) return printf("%u: %u\n", i, words[i]), 1;
    }
    return 0;
}
