// verdict: race
// race: lines 22 and 34, variable voltage, global
// repaired: clean
// The reader fences before it polls, and not after.
// An acquire pattern is strong read, then fence; the fence before the loop orders only what is earlier.
// Repaired: the fence comes after the loop.
#include <cstdio>
#include <cuda_runtime.h>

__device__ float voltage;
__device__ volatile int measured;
__device__ float out[3];

__device__ void fence()
{
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
}

__global__ void measure()
{
    if (blockIdx.x == 2) {
        voltage = 1.5f;
        fence();
        measured = 1;
    } else {
#ifndef REPAIRED
        fence();
#endif
        while (measured == 0) {
        }
#ifdef REPAIRED
        fence();
#endif
        out[blockIdx.x] = voltage;
    }
}

int main()
{
    measure<<<3, 1>>>();
    float result[3];
    cudaMemcpyFromSymbol(result, out, sizeof result);
    if (result[0] != 1.5f || result[1] != 1.5f) return 1;
    printf("%.1f V\n", result[0]);
    return 0;
}
