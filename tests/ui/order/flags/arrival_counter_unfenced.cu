// verdict: race
// race: lines 20 and 31, variable part, global
// repaired: clean
// Three blocks write parts and count themselves; block 3 waits until the counter shows all of them.
// atomicAdd() is relaxed: the producers have no release pattern.
// Repaired: each producer fences before it counts. The consumer reads the last addition only, but
// the others precede it in observation order through the chain of read-modify-writes.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int producers = 3;
__device__ int part[producers];
__device__ unsigned arrived;
__device__ int total;

__global__ void produce()
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x < producers) {
        part[blockIdx.x] = 10 << blockIdx.x;
#ifdef REPAIRED
        __threadfence();
#endif
        atomicAdd(&arrived, 1u);
        return;
    }
    while (*(volatile unsigned*)&arrived < producers) {
    }
    __threadfence();
    for (int p = 0; p < producers; p++) {
        total += part[p];
    }
}

int main()
{
    produce<<<producers + 1, 32>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, total, sizeof result);
    if (result != 70) return 1;
    printf("total %d\n", result);
    return 0;
}
