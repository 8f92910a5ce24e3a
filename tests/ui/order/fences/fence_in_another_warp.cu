// verdict: race
// race: lines 24 and 31, variable grid, global
// repaired: clean
// After a barrier, one warp executes the release fence and another one raises the flag.
// A fence orders the accesses of its own thread: fence and strong write are of two threads, and no
// release pattern.
// Repaired: the thread that raises the flag fences.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int n = 64;

__global__ void fill(int* grid, int* flag, int* out)
{
    const int t = threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
#ifdef REPAIRED
    const int fencing = 0;
#else
    const int fencing = 32;
#endif
    if (blockIdx.x == 0) {
        grid[t] = n - t;
        __syncthreads();
        if (t == fencing) cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        if (t == 0) ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) {
        }
        out[t] = grid[n - 1 - t];
    }
}

int main()
{
    int *grid, *flag, *out, result[n];
    cudaMalloc(&grid, sizeof result);
    cudaMalloc(&out, sizeof result);
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    fill<<<2, n>>>(grid, flag, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(grid);
    cudaFree(out);
    cudaFree(flag);
    for (int t = 0; t < n; t++) {
        if (result[t] != t + 1) return 1;
    }
    printf("filled\n");
    return 0;
}
