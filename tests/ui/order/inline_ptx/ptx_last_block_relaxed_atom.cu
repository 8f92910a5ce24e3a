// verdict: race
// race: lines 14 and 22, variable part, global
// repaired: clean
// Inline PTX: the last block, by atom.add, sums the parts of all.
// atom.relaxed is strong, but neither release nor acquire.
// Repaired: atom.acq_rel is both, and each addition reads the one before it.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int blocks = 5;

__global__ void sum(int* part, unsigned* count, int* total)
{
    part[blockIdx.x] = 2 * blockIdx.x + 1;
    unsigned before;
#ifdef REPAIRED
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(count) : "memory");
#else
    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(count) : "memory");
#endif
    if (before == blocks - 1) {
        for (int b = 0; b < blocks; b++) *total += part[b];
    }
}

int main()
{
    int *part, *total, result = 0;
    unsigned* count;
    cudaMalloc(&part, blocks * sizeof(int));
    cudaMalloc(&total, sizeof(int));
    cudaMalloc(&count, sizeof(unsigned));
    cudaMemset(total, 0, sizeof(int));
    cudaMemset(count, 0, sizeof(unsigned));
    sum<<<blocks, 1>>>(part, count, total);
    cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(part);
    cudaFree(total);
    cudaFree(count);
    if (result != blocks * blocks) return 1;
    printf("total %d\n", result);
    return 0;
}
