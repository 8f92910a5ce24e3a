// verdict: race
// race: lines 26 and 28, variable tile, global
// repaired: clean
// A block writes a tile, and its thread 0 releases the block's flag; the next block acquires it.
// Without a barrier the release orders thread 0's element only.
// Repaired: __syncthreads() before the release. The elements of all threads precede the barrier, and
// the release is cumulative.
#include <cstdio>
#include <vector>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int threads = 32, blocks = 4;
using Flag = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void pipeline(int* tile, Flag* flag)
{
    const int b = blockIdx.x, t = threadIdx.x;
    int left = 0;
    if (b > 0) {
        if (t == 0) {
            while (flag[b - 1].load(cuda::memory_order_acquire) == 0) {
            }
        }
        __syncthreads();
        left = tile[(b - 1) * threads + t];
    }
    tile[b * threads + t] = left + t;
#ifdef REPAIRED
    __syncthreads();
#endif
    if (t == 0) flag[b].store(1, cuda::memory_order_release);
}

int main()
{
    const int n = threads * blocks;
    std::vector<int> result(n);
    int* tile;
    Flag* flag;
    cudaMalloc(&tile, n * sizeof(int));
    cudaMalloc(&flag, blocks * sizeof(Flag));
    cudaMemset(tile, 0, n * sizeof(int));
    cudaMemset(flag, 0, blocks * sizeof(Flag));
    pipeline<<<blocks, threads>>>(tile, flag);
    cudaMemcpy(result.data(), tile, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(tile);
    cudaFree(flag);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (result[i] != (i / threads + 1) * (i % threads)) return 1;
    }
#endif
    printf("last %d\n", result[n - 1]);
    return 0;
}
