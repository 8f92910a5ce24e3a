// verdict: race
// race: lines 15 and 20, variable counter, global
// repaired: clean
// A counter of 64 bits: one block adds to the whole, another one to the low half.
// Both are strong, but morally strong operations must overlap completely. These overlap in part: a race.
// Repaired: both add 64 bits.
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned long long counter;

__global__ void add()
{
    if (blockIdx.x == 0) {
        atomicAdd(&counter, 1ull << 32);
    } else {
#ifdef REPAIRED
        atomicAdd(&counter, 2ull);
#else
        atomicAdd((unsigned*)&counter, 2u);
#endif
    }
}

int main()
{
    add<<<3, 8>>>();
    unsigned long long result = 0;
    cudaMemcpyFromSymbol(&result, counter, sizeof result);
#ifdef REPAIRED
    if (result != (8ull << 32 | 32)) return 1;
#endif
    printf("%llx\n", result);
    return 0;
}
