// verdict: race
// race: lines 18 and 22, variable cells, global
// repaired: clean
// A cooperative kernel smooths an array in place. grid.sync() after the stores orders them before
// the next step's loads; the loads of a step and the stores of other threads in the same step,
// which overwrite what is being loaded, have no barrier between them.
// Repaired: a second grid.sync() between loads and stores.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void smooth(int* cells, int n, int steps)
{
    const cg::grid_group grid = cg::this_grid();
    const int i = static_cast<int>(grid.thread_rank());
    for (int step = 0; step < steps; step++) {
        const int sum = cells[i] + cells[(i + 1) % n];
#ifdef REPAIRED
        grid.sync();
#endif
        cells[i] = sum % 1000;
        grid.sync();
    }
}

int main()
{
    int n = 3 * 64, steps = 4;
    int* cells;
    cudaMallocManaged(&cells, n * sizeof(int));
    int expected[3 * 64], next[3 * 64];
    for (int i = 0; i < n; i++) cells[i] = expected[i] = i * 17 % 100;
    void* arguments[] = {&cells, &n, &steps};
    cudaLaunchCooperativeKernel((void*)smooth, dim3(3), dim3(64), arguments, 0, nullptr);
    cudaDeviceSynchronize();
    for (int step = 0; step < steps; step++) {
        for (int i = 0; i < n; i++) next[i] = (expected[i] + expected[(i + 1) % n]) % 1000;
        for (int i = 0; i < n; i++) expected[i] = next[i];
    }
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (cells[i] != expected[i]) return 1;
    }
#endif
    return 0;
}
