// verdict: race
// race: lines 16 and 16, variable p, global
// repaired: clean
// The preprocessor decides what a launch passes, and what is left out must not be passed:
// with the default for `shift`, two threads share an element.
// Repaired: the default gives each thread an element of its own.
#include <cstdio>
#include <cuda_runtime.h>

#ifdef REPAIRED
__global__ void mark(int* p, int value, int shift = 0)
#else
__global__ void mark(int* p, int value, int shift = 1)
#endif
{
    p[threadIdx.x >> shift] = value;
}

int main()
{
    int* p;
    cudaMalloc(&p, 64 * sizeof(int));
    mark<<<1, 64
#ifdef EXTRA_SHARED_MEMORY
         , EXTRA_SHARED_MEMORY
#endif
    >>>(p, 1
#if defined(SHIFT) && SHIFT < 1
        , SHIFT
#endif
    );
    int first = 0;
    cudaMemcpy(&first, p, sizeof(int), cudaMemcpyDeviceToHost);
    printf("first: %d\n", first);
    cudaFree(p);
    return 0;
}
