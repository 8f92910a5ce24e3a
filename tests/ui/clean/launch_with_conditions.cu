// verdict: clean
// The preprocessor decides what a launch passes, and what is left out must not be passed:
// only the default for `shift` gives each thread an element of its own.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void mark(int* p, int value, int shift = 0)
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
#if defined(SHIFT) && SHIFT > 0
        , SHIFT
#endif
    );
    int first = 0;
    cudaMemcpy(&first, p, sizeof(int), cudaMemcpyDeviceToHost);
    printf("first: %d\n", first);
    cudaFree(p);
    return 0;
}
