// verdict: race
// race: lines 20 and 20, variable sum, global
// repaired: clean
// Inline PTX: a lock of atom.cas and st.release.
// The compare-and-swap is relaxed: who takes the lock does not acquire the last release.
// Repaired: atom.acquire.cas.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int* lock, int* sum)
{
    int old;
    do {
#ifdef REPAIRED
        asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(lock) : "memory");
#else
        asm volatile("atom.relaxed.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(old) : "l"(lock) : "memory");
#endif
    } while (old != 0);
    *sum += blockIdx.x;
    asm volatile("st.release.gpu.global.b32 [%0], %1;" : : "l"(lock), "r"(0) : "memory");
}

int main()
{
    int *words, result = 0;
    cudaMalloc(&words, 2 * sizeof(int));
    cudaMemset(words, 0, 2 * sizeof(int));
    add<<<6, 1>>>(words, words + 1);
    cudaMemcpy(&result, words + 1, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(words);
    if (result != 15) return 1;
    printf("sum %d\n", result);
    return 0;
}
