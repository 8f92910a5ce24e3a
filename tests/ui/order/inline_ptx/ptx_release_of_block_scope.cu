// verdict: race
// race: lines 15 and 26, variable data, global
// race: lines 19 and 24, variable flag, global
// repaired: clean
// Inline PTX: st.release.cta in one block, ld.acquire.gpu in another one.
// The release's scope leaves the reader out. Not morally strong, store and load race on the flag, and
// synchronise nothing.
// Repaired: st.release.gpu.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void pass(int* data, int* flag, int* out)
{
    if (blockIdx.x == 0) {
        *data = 64;
#ifdef REPAIRED
        asm volatile("st.release.gpu.global.s32 [%0], %1;" : : "l"(flag), "r"(1) : "memory");
#else
        asm volatile("st.release.cta.global.s32 [%0], %1;" : : "l"(flag), "r"(1) : "memory");
#endif
    } else {
        int seen = 0;
        while (seen == 0) {
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        }
        out[blockIdx.x] = *data;
    }
}

int main()
{
    int *data, *flag, *out, result[3];
    cudaMalloc(&data, sizeof(int));
    cudaMalloc(&flag, sizeof(int));
    cudaMalloc(&out, sizeof result);
    cudaMemset(flag, 0, sizeof(int));
    pass<<<3, 1>>>(data, flag, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(data);
    cudaFree(flag);
    cudaFree(out);
    if (result[1] != 64 || result[2] != 64) return 1;
    printf("%d\n", result[1]);
    return 0;
}
