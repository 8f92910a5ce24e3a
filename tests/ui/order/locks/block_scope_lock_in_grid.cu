// verdict: race
// race: lines 20 and 20, variable lock, global
// race: lines 29 and 29, variable lock, global
// race-also: lines 20 and 29, variable lock, global
// repaired: clean
// A lock whose operations have block scope, taken by threads of several blocks.
// Operations of block scope by threads of two blocks are not morally strong: they race with each other
// on the lock. (The visits do not race: the order of the fence.sc follows from what is read.)
// Repaired: operations of device scope.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void visit(int* lock, int* visits)
{
    if (threadIdx.x % 32 != 0) return;
    for (;;) {
#ifdef REPAIRED
        if (atomicCAS(lock, 0, 1) == 0) break;
#else
        if (atomicCAS_block(lock, 0, 1) == 0) break;
#endif
    }
    __threadfence();
    *visits += 1;
    __threadfence();
#ifdef REPAIRED
    atomicExch(lock, 0);
#else
    atomicExch_block(lock, 0);
#endif
}

int main()
{
    int *words, visits = 0;
    cudaMalloc(&words, 2 * sizeof(int));
    cudaMemset(words, 0, 2 * sizeof(int));
    visit<<<3, 64>>>(words, words + 1);
    cudaMemcpy(&visits, words + 1, sizeof visits, cudaMemcpyDeviceToHost);
    cudaFree(words);
    if (visits != 6) return 1;
    printf("%d visits\n", visits);
    return 0;
}
