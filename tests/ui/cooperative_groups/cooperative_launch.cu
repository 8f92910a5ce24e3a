// verdict: race
// race: lines 21 and 28, variable next, global
// repaired: clean
// One kernel for all passes of a pointer-chasing sum, launched cooperatively through a
// void pointer. Only a block barrier separates the passes.
// Repaired: a grid barrier separates the passes.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void passes(const int* current, int* next, int* sums, int n)
{
    cg::grid_group grid = cg::this_grid();
    const int i = grid.thread_rank();
#ifndef REPAIRED
    cg::thread_block block = cg::this_thread_block();
#endif
    if (i < n) {
        next[i] = current[i] + 1;
    }
#ifdef REPAIRED
    grid.sync();
#else
    block.sync();
#endif
    if (i < n) sums[i] = next[n - 1 - i];
}

int main()
{
    int n = 512;
    int *current, *next, *sums;
    cudaMalloc(&current, n * sizeof(int));
    cudaMalloc(&next, n * sizeof(int));
    cudaMalloc(&sums, n * sizeof(int));
    cudaMemset(current, 0, n * sizeof(int));
    void* arguments[] = {&current, &next, &sums, &n};
    cudaLaunchCooperativeKernel((void*)passes, dim3(4), dim3(128), arguments, 0, nullptr);
    int last = 0;
    cudaMemcpy(&last, sums + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    std::printf("last %d\n", last);
    return 0;
}
