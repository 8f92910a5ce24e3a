// verdict: race
// race: lines 18 and 31, variable data, global
// repaired: clean
// nvcc: -arch=sm_90
// The writer's fence before the flag is fence.acquire, which begins no release pattern.
// Repaired: fence.release, and fence.acquire at the reader.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int data;
__device__ int flag;
__device__ int out;

__global__ void pass()
{
    int one = 1, seen = 0;
    if (blockIdx.x == 1) {
        data = 5;
#ifdef REPAIRED
        asm volatile("fence.release.gpu;" ::: "memory");
#else
        asm volatile("fence.acquire.gpu;" ::: "memory");
#endif
        asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" : : "l"(&flag), "r"(one) : "memory");
    } else {
        while (seen == 0) {
            asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(&flag) : "memory");
        }
        // It ends the pattern.
        asm volatile("fence.acquire.gpu;" ::: "memory");
        out = data;
    }
}

int main()
{
    pass<<<2, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, out, sizeof result);
    printf("%d\n", result);
    return result != 5;
}
