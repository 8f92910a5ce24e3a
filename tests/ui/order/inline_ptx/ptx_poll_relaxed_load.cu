// verdict: race
// race: lines 13 and 24, variable data, global
// repaired: clean
// Inline PTX: st.release in the writer, ld.relaxed in the reader.
// A relaxed load is strong, and morally strong with the release, but it is no acquire pattern.
// Repaired: ld.acquire, of the same scope.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void pass(int* data, int* flag, int* out)
{
    if (blockIdx.x == 0) {
        *data = 31;
        asm volatile("st.release.gpu.global.s32 [%0], %1;" : : "l"(flag), "r"(1) : "memory");
    } else {
        int seen;
        do {
#ifdef REPAIRED
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
#else
            asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
#endif
        } while (seen == 0);
        *out = *data;
    }
}

int main()
{
    int *words, result = 0;
    cudaMalloc(&words, 3 * sizeof(int));
    cudaMemset(words, 0, 3 * sizeof(int));
    pass<<<2, 1>>>(words, words + 1, words + 2);
    cudaMemcpy(&result, words + 2, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(words);
    if (result != 31) return 1;
    printf("%d\n", result);
    return 0;
}
