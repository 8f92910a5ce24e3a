// verdict: race
// race: lines 20 and 20, variable where, global
// repaired: clean
// Blocks keep a maximum by atomicMax(), and whoever has not found a greater one notes where it is.
// The two updates are not one: atomicMax() is relaxed and orders no plain writes of the argument.
// Repaired: maximum and argument are one word of 64 bits, updated by one strong operation.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int highest, where;
__device__ unsigned long long both;

__global__ void find()
{
    const int value = blockIdx.x % 2 ? 50 : 10;
#ifdef REPAIRED
    atomicMax(&both, (unsigned long long)value << 32 | blockIdx.x);
#else
    if (atomicMax(&highest, value) <= value) {
        where = blockIdx.x;
    }
#endif
}

int main()
{
    find<<<6, 1>>>();
    unsigned long long result = 0;
    cudaMemcpyFromSymbol(&result, both, sizeof result);
#ifdef REPAIRED
    if (result != (50ull << 32 | 5)) return 1;
#endif
    printf("at %u\n", (unsigned)result);
    return 0;
}
