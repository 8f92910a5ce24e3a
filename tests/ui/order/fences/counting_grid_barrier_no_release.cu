// verdict: race
// race: lines 33 and 35, variable cells, global
// repaired: clean
// A hand-written barrier of all blocks: thread 0 counts its block, and polls until all are counted.
// The count is relaxed and not preceded by a fence, so what a block wrote before it is not released.
// Repaired: the count is a release; the poll, which sees the end of the chain of counts, an acquire.
#include <cstdio>
#include <vector>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int blocks = 4, threads = 16, n = blocks * threads;
__device__ cuda::atomic<int, cuda::thread_scope_device> count{0};

__device__ void grid_barrier()
{
    __syncthreads();
    if (threadIdx.x == 0) {
#ifdef REPAIRED
        count.fetch_add(1, cuda::memory_order_release);
#else
        count.fetch_add(1, cuda::memory_order_relaxed);
#endif
        while (count.load(cuda::memory_order_acquire) < blocks) {
        }
    }
    __syncthreads();
}

__global__ void reverse(int* cells, int* out)
{
    const int i = blockIdx.x * threads + threadIdx.x;
    cells[i] = 2 * i;
    grid_barrier();
    out[i] = cells[n - 1 - i];
}

int main()
{
    int *cells, *out;
    std::vector<int> result(n);
    cudaMalloc(&cells, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    reverse<<<blocks, threads>>>(cells, out);
    cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(cells);
    cudaFree(out);
    for (int i = 0; i < n; i++) {
        if (result[i] != 2 * (n - 1 - i)) return 1;
    }
    printf("reversed %d\n", n);
    return 0;
}
