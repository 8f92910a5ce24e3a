// verdict: race
// race: lines 31 and 33, variable value, global
// repaired: clean
// A look-back scan: each block publishes the sum of all blocks so far and a flag, without any fence.
// Flag and value are two words, and the relaxed flag orders nothing else.
// Repaired: flag and value share one word of 64 bits. All accesses to it are strong with device
// scope, so none of them race, and a single word is read as it was written: no fence is needed.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int blocks = 6;
__device__ unsigned value[blocks], flag[blocks];
__device__ unsigned long long packed[blocks];

__global__ void scan()
{
    const unsigned b = blockIdx.x;
    unsigned before = 0;
#ifdef REPAIRED
    unsigned long long word = 0;
    if (b > 0) {
        while (((word = atomicAdd(&packed[b - 1], 0ull)) >> 32) == 0) {
        }
        before = (unsigned)word;
    }
    atomicExch(&packed[b], 1ull << 32 | (before + b + 1));
#else
    if (b > 0) {
        while (atomicAdd(&flag[b - 1], 0u) == 0) {
        }
        before = value[b - 1];
    }
    value[b] = before + b + 1;
    atomicExch(&flag[b], 1u);
#endif
}

int main()
{
    scan<<<blocks, 1>>>();
    unsigned plain[blocks];
    unsigned long long words[blocks];
    cudaMemcpyFromSymbol(plain, value, sizeof plain);
    cudaMemcpyFromSymbol(words, packed, sizeof words);
    for (unsigned b = 0; b < blocks; b++) {
        const unsigned prefix = words[b] ? (unsigned)words[b] : plain[b];
        if (prefix != (b + 1) * (b + 2) / 2) return 1;
    }
    printf("scanned\n");
    return 0;
}
