// verdict: race
// race: lines 17 and 30, variable data, global
// repaired: clean
// Inline PTX: fence.acq_rel around relaxed accesses to a flag of device scope.
// The writer's fence is .cta: it begins the release pattern, and its scope leaves the reader out.
// Repaired: fence.acq_rel.gpu on both sides.
#include <cstdio>
#include <cuda_runtime.h>

__device__ long long data[2];
__device__ int flag;
__device__ long long out;

__global__ void pass()
{
    if (blockIdx.x == 1) {
        data[1] = -7;
#ifdef REPAIRED
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
#else
        asm volatile("fence.acq_rel.cta;" ::: "memory");
#endif
        asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" : : "l"(&flag), "r"(1) : "memory");
    } else {
        int seen = 0;
        while (seen == 0) {
            asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(&flag) : "memory");
        }
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
        out = data[1];
    }
}

int main()
{
    pass<<<2, 1>>>();
    long long result = 0;
    cudaMemcpyFromSymbol(&result, out, sizeof result);
    if (result != -7) return 1;
    printf("%lld\n", result);
    return 0;
}
