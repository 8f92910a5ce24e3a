// verdict: race
// race: lines 17 and 27, variable lock, global
// race: lines 27 and 27, variable lock, global
// repaired: clean
// A lock with exponential back-off is given back by a plain store.
// The weak store races with the atomicCAS() of the others, which is strong: no moral strength. Two of the
// stores are unordered as well. (The maximum is ordered all the same: the fences are fence.sc, and who
// has read the store cannot come first in their order. No release pattern is needed for that.)
// Repaired: atomicExch() gives it back, and fence and exchange are a release pattern.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void maximise(int* lock, int* best)
{
    const int value = (blockIdx.x * 5) % 7;
    unsigned pause = 8;
    while (atomicCAS(lock, 0, 1) != 0) {
        __nanosleep(pause);
        if (pause < 256) pause *= 2;
    }
    __threadfence();
    *best = max(*best, value);
    __threadfence();
#ifdef REPAIRED
    atomicExch(lock, 0);
#else
    *lock = 0;
#endif
}

int main()
{
    int *words, best = 0;
    cudaMalloc(&words, 2 * sizeof(int));
    cudaMemset(words, 0, 2 * sizeof(int));
    maximise<<<6, 1>>>(words, words + 1);
    cudaMemcpy(&best, words + 1, sizeof best, cudaMemcpyDeviceToHost);
    cudaFree(words);
    if (best != 6) return 1;
    printf("best %d\n", best);
    return 0;
}
