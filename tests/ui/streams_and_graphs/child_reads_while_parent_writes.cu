// verdict: race
// race: lines 24 and 17, variable tile, global
// repaired: clean
// nvcc: -rdc=true
// A block fills a tile, and one of its threads launches a kernel that sums it, without waiting for
// the rest of the block: only what that thread itself wrote comes before the child.
// Repaired: a barrier of the block comes before the launch.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int n = 64;

__global__ void sum(const int* tile, int* total)
{
    int all = 0;
    for (int i = 0; i < n; ++i) {
        all += tile[i];
    }
    *total = all;
}

__global__ void fill(int* tile, int* total)
{
    tile[threadIdx.x] = threadIdx.x;
#ifdef REPAIRED
    __syncthreads();
#endif
    if (threadIdx.x == 0) sum<<<1, 1>>>(tile, total);
}

int main()
{
    int *tile, *total;
    cudaMalloc(&tile, n * sizeof(int));
    cudaMallocManaged(&total, sizeof(int));
    fill<<<1, n>>>(tile, total);
    cudaDeviceSynchronize();
    std::printf("%d\n", *total);
#ifdef REPAIRED
    return *total != n * (n - 1) / 2;
#else
    return 0;
#endif
}
