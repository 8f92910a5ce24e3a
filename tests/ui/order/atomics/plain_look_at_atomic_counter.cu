// verdict: race
// race: lines 17 and 20, variable progress, global
// repaired: clean
// Blocks count their progress by atomicAdd(), and block 0 looks at the counter once, by a plain read.
// A weak read and a strong update are not morally strong, and nothing orders them.
// Repaired: the read is volatile. Two strong accesses of sufficient scope never race.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void step(unsigned* progress, unsigned* seen)
{
    if (blockIdx.x == 0) {
        if (threadIdx.x > 0) return;
#ifdef REPAIRED
        *seen = *(volatile unsigned*)progress;
#else
        *seen = *progress;
#endif
    } else {
        atomicAdd(progress, 1u);
    }
}

int main()
{
    unsigned *words, result[2];
    cudaMalloc(&words, sizeof result);
    cudaMemset(words, 0, sizeof result);
    step<<<4, 16>>>(words, words + 1);
    cudaMemcpy(result, words, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(words);
    if (result[0] != 48 || result[1] > 48) return 1;
    printf("%u steps\n", result[0]);
    return 0;
}
