// verdict: race
// race: lines 17 and 32, variable data, global
// repaired: clean
// nvcc: -arch=sm_90
// The reader's fence after the flag is fence.release, which ends no acquire pattern.
// Repaired: fence.acquire.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int data, flag, out;

__global__ void pass()
{
    int one = 1, seen = 0;
    // The flag is of the device.
    if (blockIdx.x == 1) {
        data = 5;
        asm volatile("fence.release.gpu;" ::: "memory");
        asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" : : "l"(&flag), "r"(one) : "memory");
    } else {
        while (seen == 0) {
            asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(&flag) : "memory");
        }
#ifdef REPAIRED
        asm volatile("fence.acquire.gpu;" ::: "memory");
#else
        asm volatile("fence.release.gpu;" ::: "memory");
#endif
        // A second fence would not matter.
        asm volatile("" ::: "memory");

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
