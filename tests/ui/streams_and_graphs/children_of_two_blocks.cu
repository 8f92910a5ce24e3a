// verdict: race
// race: lines 16 and 17, variable cells, global
// race: lines 17 and 17, variable cells, global
// repaired: clean
// nvcc: -rdc=true
// Each block launches a kernel that adds one to every cell. Each block has a default stream of its
// own, so nothing orders the two children.
// Repaired: one block launches both; its default stream puts them in order.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int n = 32;

__global__ void add_one(int* cells)
{
    int before = cells[threadIdx.x];
    cells[threadIdx.x] = before + 1;
}

__global__ void launch_each(int* cells)
{
#ifdef REPAIRED
    if (blockIdx.x == 0 && threadIdx.x < 2) add_one<<<1, n>>>(cells);
#else
    if (threadIdx.x == 0) add_one<<<1, n>>>(cells);
#endif
}

int main()
{
    int* cells;
    cudaMallocManaged(&cells, n * sizeof(int));
    for (int i = 0; i < n; ++i) cells[i] = 0;
    launch_each<<<2, 32>>>(cells);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += cells[i] != 2;
    std::printf("%d wrong\n", wrong);
    return wrong;
}
