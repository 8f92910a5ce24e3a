// verdict: race
// race: lines 20 and 20, variable bins, global
// repaired: clean
// A spin lock by atomicExch() guards a histogram; only the unlocking side has a fence.
// A strong read-modify-write without a fence behind it is no acquire pattern: the update may read what
// was there before the lock was taken.
// Repaired: a fence after the lock is taken, and both sides of the lock have their pattern.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void histogram(const int* values, int count, int* lock, int* bins)
{
    for (int i = blockIdx.x; i < count; i += gridDim.x) {
        while (atomicExch(lock, 1) == 1) {
        }
#ifdef REPAIRED
        __threadfence();
#endif
        bins[values[i]]++;
        __threadfence();
        atomicExch(lock, 0);
    }
}

int main()
{
    const int count = 24;
    std::vector<int> values(count, 1);
    for (int i = 0; i < count; i += 3) values[i] = 0;
    int *d_values, *words, bins[2];
    cudaMalloc(&d_values, count * sizeof(int));
    cudaMalloc(&words, 3 * sizeof(int));
    cudaMemcpy(d_values, values.data(), count * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(words, 0, 3 * sizeof(int));
    histogram<<<4, 1>>>(d_values, count, words, words + 1);
    cudaMemcpy(bins, words + 1, sizeof bins, cudaMemcpyDeviceToHost);
    cudaFree(d_values);
    cudaFree(words);
    if (bins[0] != 8 || bins[1] != 16) return 1;
    printf("%d and %d\n", bins[0], bins[1]);
    return 0;
}
