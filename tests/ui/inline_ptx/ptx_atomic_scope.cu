// verdict: race
// race: lines 22 and 22, variable total, global
// race: lines 23 and 23, variable largest, global
// repaired: clean
// Blocks add to one sum and keep one maximum by atomics in inline PTX.
// Their scope is the block.
// Repaired: their scope is the device, stated or by default.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int blocks = 3;
constexpr int threads = 64;

__global__ void count(unsigned* total, int* largest, int* seen)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned before;
#ifdef REPAIRED
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(total), "r"(1u) : "memory");
    asm volatile("red.relaxed.gpu.global.max.s32 [%0], %1;" : : "l"(largest), "r"(i) : "memory");
#else
    asm volatile("atom.global.cta.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(total), "r"(1u) : "memory");
    asm volatile("red.relaxed.cta.global.max.s32 [%0], %1;" : : "l"(largest), "r"(i) : "memory");
#endif
    seen[i] = before >= blocks * threads;
}

int main()
{
    unsigned total = 0, *d_total;
    int largest = -1, *d_largest, *d_seen;
    cudaMalloc(&d_total, sizeof total);
    cudaMalloc(&d_largest, sizeof largest);
    cudaMalloc(&d_seen, blocks * threads * sizeof(int));
    cudaMemcpy(d_total, &total, sizeof total, cudaMemcpyHostToDevice);
    cudaMemcpy(d_largest, &largest, sizeof largest, cudaMemcpyHostToDevice);
    count<<<blocks, threads>>>(d_total, d_largest, d_seen);
    cudaMemcpy(&total, d_total, sizeof total, cudaMemcpyDeviceToHost);
    cudaMemcpy(&largest, d_largest, sizeof largest, cudaMemcpyDeviceToHost);
    cudaFree(d_total);
    cudaFree(d_largest);
    cudaFree(d_seen);
#ifdef REPAIRED
    if (total != blocks * threads || largest != blocks * threads - 1) {
        fprintf(stderr, "%u threads, the last is %d\n", total, largest);
        return 1;
    }
#endif
    printf("counted %d threads\n", blocks * threads);
    return 0;
}
