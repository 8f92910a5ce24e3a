// verdict: race
// race: lines 18 and 30, variable part, global
// repaired: clean
// Inline PTX: producers count themselves by red.add, and the consumer polls by ld.acquire.
// red.relaxed publishes nothing.
// Repaired: red.release. A red is a read-modify-write like atom, so all of them precede the acquire.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int producers = 3;
__device__ int part[producers];
__device__ unsigned arrived;
__device__ int product = 1;

__global__ void multiply()
{
    if (blockIdx.x < producers) {
        part[blockIdx.x] = blockIdx.x + 2;
#ifdef REPAIRED
        asm volatile("red.release.gpu.global.add.u32 [%0], %1;" : : "l"(&arrived), "r"(1u) : "memory");
#else
        asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" : : "l"(&arrived), "r"(1u) : "memory");
#endif
        return;
    }
    unsigned seen;
    do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(&arrived) : "memory");
    } while (seen < producers);
    for (int p = 0; p < producers; p++) product *= part[p];
}

int main()
{
    multiply<<<producers + 1, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, product, sizeof result);
    if (result != 24) return 1;
    printf("product %d\n", result);
    return 0;
}
