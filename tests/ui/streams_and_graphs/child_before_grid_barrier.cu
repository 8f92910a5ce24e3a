// verdict: race
// race: lines 33 and 20, variable cells, global
// repaired: clean
// nvcc: -rdc=true
// All blocks of a cooperative kernel fill an array, and one of them launches a kernel that launches
// the one that sums it. The launch comes before the barrier of the grid.
// Repaired: it comes after the barrier.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

constexpr int n = 128;

__global__ void sum(const int* cells, int* total)
{
    int all = 0;
    for (int i = 0; i < n; ++i) {
        all += cells[i];
    }
    *total = all;
}

__global__ void delegate(const int* cells, int* total)
{
    if (threadIdx.x == 31) sum<<<1, 1>>>(cells, total);
}

__global__ void fill(int* cells, int* total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cells[i] = i;
    atomicAdd(total + 1, 1);
#ifdef REPAIRED
    cg::this_grid().sync();
    if (i == 0) delegate<<<1, 32>>>(cells, total);
#else
    if (i == 0) delegate<<<1, 32>>>(cells, total);
    cg::this_grid().sync();
#endif
}

int main()
{
    int *cells, *total;
    cudaMalloc(&cells, n * sizeof(int));
    cudaMallocManaged(&total, 2 * sizeof(int));
    total[0] = total[1] = 0;
    void* arguments[] = {&cells, &total};
    cudaLaunchCooperativeKernel((void*)fill, dim3(4), dim3(n / 4), arguments, 0, 0);
    cudaDeviceSynchronize();
    std::printf("%d\n", *total);
#ifdef REPAIRED
    return *total != n * (n - 1) / 2;
#else
    return 0;
#endif
}
