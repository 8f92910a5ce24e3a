// verdict: race
// race: lines 22 and 24, variable owner, global
// repaired: clean
// Blocks try to claim a slot with atomicCAS(), and read its owner by a plain load.
// The swap of the first block writes the owner, and the plain loads of the others are not ordered with
// that. Repaired: the slot is taken before the launch, so that each swap fails. One that fails only
// reads, and reads do not race with each other.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int owner;

__global__ void take_slot()
{
    owner = 100;
}

__global__ void claim(int* losers)
{
    const int mine = 1 + blockIdx.x;
    if (blockIdx.x % 2 == 0) {
        if (atomicCAS(&owner, 0, mine) != 0) atomicAdd(losers, 1);
    } else {
        if (owner != mine) atomicAdd(losers, 1);
    }
}

int main()
{
    int* losers;
    int result = 0;
    cudaMalloc(&losers, sizeof(int));
    cudaMemset(losers, 0, sizeof(int));
#ifdef REPAIRED
    take_slot<<<1, 1>>>();
#endif
    claim<<<6, 1>>>(losers);
    cudaMemcpy(&result, losers, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(losers);
#ifdef REPAIRED
    if (result != 6) return 1;
#endif
    printf("%d losers\n", result);
    return 0;
}
