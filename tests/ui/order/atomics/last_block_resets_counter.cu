// verdict: race
// race: lines 16 and 23, variable finished, global
// race: lines 23 and 23, variable finished, global
// repaired: clean
// The last block to count itself resets the counter without an atomic operation. Its atomicAdd() has
// observed those of all others, so they come before the reset, and there is no fence.
// The racy form resets the counter in the block that counts itself first.
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned finished;

__global__ void count_blocks(unsigned* counted)
{
    if (threadIdx.x != 0) return;
    const unsigned before = atomicAdd(&finished, 1);
#ifdef REPAIRED
    if (before == gridDim.x - 1) {
        *counted = before + 1;
        finished = 0;
    }
#else
    if (before == 0) finished = 0;
#endif
}

int main()
{
    unsigned* counted;
    cudaMallocManaged(&counted, sizeof *counted);
    *counted = 0;
    for (int i = 0; i < 2; i++) {
        count_blocks<<<5, 32>>>(counted);
        cudaDeviceSynchronize();
#ifdef REPAIRED
        if (*counted != 5) return 1;
#endif
    }
    printf("counted %u\n", *counted);
    return 0;
}
