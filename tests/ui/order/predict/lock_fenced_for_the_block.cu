// verdict: possible
// possible: lines 43 and 43, variable total, global
// predict: 8
// repaired: clean
// Blocks add to a total under a lock whose fences have the scope of the block, which orders nothing
// between blocks. Each also takes a turn at a second lock, with fences of the device, before and after:
// in this schedule, that orders the additions.
// Repaired: the fences of the first lock have the scope of the device.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int adding = 0, turn = 0;
__device__ int total = 0, turns = 0;

__device__ void fence_of_adding()
{
#ifdef REPAIRED
    __threadfence();
#else
    __threadfence_block();
#endif
}

__device__ void take_turn()
{
    while (atomicCAS(&turn, 0, 1) != 0) {
    }
    __threadfence();
    turns++;
    __threadfence();
    atomicExch(&turn, 0);
}

__global__ void sum()
{
    if (threadIdx.x != 0) {
        return;
    }
    take_turn();
    while (atomicCAS(&adding, 0, 1) != 0) {
    }
    fence_of_adding();
    total += blockIdx.x + 1;
    fence_of_adding();
    atomicExch(&adding, 0);
    take_turn();
}

int main()
{
    sum<<<2, 32>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, total, sizeof result);
    if (result != 3) return 1;
    printf("%d\n", result);
    return 0;
}
