// verdict: clean
// predict: 8
// Each block allocates memory, uses and frees it, and counts itself under a lock. The next block gets the
// same memory: it is another object, which no earlier access concerns.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__device__ int lock = 0;
__device__ int count = 0, sum = 0;

__device__ void enter()
{
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    count++;
    __threadfence();
    atomicExch(&lock, 0);
}

__global__ void work()
{
    enter();
    int* const scratch = static_cast<int*>(malloc(4 * sizeof(int)));
    for (int i = 0; i < 4; ++i) {
        scratch[i] = blockIdx.x;
    }
    atomicAdd(&sum, scratch[3]);
    free(scratch);
    enter();
}

int main()
{
    work<<<4, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, sum, sizeof result);
    if (result != 6) return 1;
    printf("%d\n", result);
    return 0;
}
