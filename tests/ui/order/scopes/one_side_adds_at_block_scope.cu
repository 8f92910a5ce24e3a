// verdict: race
// race: lines 16 and 19, variable total, global
// repaired: clean
// One block adds at block scope, the others at device or system scope, to the same word.
// Moral strength needs both scopes: that of the first block's additions leaves the others out.
// Repaired: device scope. It goes together with system scope, which includes it.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(unsigned* total)
{
    if (blockIdx.x == 0) {
#ifdef REPAIRED
        atomicAdd(total, threadIdx.x);
#else
        atomicAdd_block(total, threadIdx.x);
#endif
    } else {
        atomicAdd_system(total, threadIdx.x);
    }
}

int main()
{
    unsigned *total, result = 0;
    cudaMalloc(&total, sizeof(unsigned));
    cudaMemset(total, 0, sizeof(unsigned));
    add<<<3, 32>>>(total);
    cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(total);
#ifdef REPAIRED
    if (result != 3 * 496) return 1;
#endif
    printf("total %u\n", result);
    return 0;
}
