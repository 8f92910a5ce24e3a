// verdict: race
// race: lines 16 and 26, variable best, global
// repaired: clean
// Finds the largest score and flags every element that has it.
// The flag is decided by a plain read while other threads still raise the maximum.
// Repaired: the flags are set by a second launch.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void find_best(const int* score, int* best, unsigned char* flag, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicMax(best, score[i]);
#ifdef REPAIRED
    }
}

__global__ void flag_best(const int* score, const int* best, unsigned char* flag, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
#endif
        flag[i] = score[i] == *best;
    }
}

int main()
{
    const int n = 290, threads = 64, blocks = (n + threads - 1) / threads;
    std::vector<int> score(n);
    std::vector<unsigned char> flag(n);
    for (int i = 0; i < n; i++) {
        score[i] = (i * 23) % 97;
    }
    int *d_score, *d_best;
    unsigned char* d_flag;
    cudaMalloc(&d_score, n * sizeof(int));
    cudaMalloc(&d_best, sizeof(int));
    cudaMalloc(&d_flag, n);
    cudaMemcpy(d_score, score.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_best, 0, sizeof(int));
    find_best<<<blocks, threads>>>(d_score, d_best, d_flag, n);
#ifdef REPAIRED
    flag_best<<<blocks, threads>>>(d_score, d_best, d_flag, n);
#endif
    cudaMemcpy(flag.data(), d_flag, n, cudaMemcpyDeviceToHost);
    cudaFree(d_score);
    cudaFree(d_best);
    cudaFree(d_flag);
#ifdef REPAIRED
    const int best = *std::max_element(score.begin(), score.end());
    for (int i = 0; i < n; i++) {
        if (flag[i] != (score[i] == best)) {
            fprintf(stderr, "wrong flag %d\n", i);
            return 1;
        }
    }
#endif
    printf("compared %d scores\n", n);
    return 0;
}
