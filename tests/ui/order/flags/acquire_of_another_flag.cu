// verdict: race
// race: lines 18 and 29, variable figures, global
// repaired: clean
// The reader polls the flag relaxed, and does one acquiring load after the loop.
// The load is of the wrong flag, one that nobody has released: no acquire pattern on the polled one.
// Repaired: it loads the polled flag again. A strong read followed by an acquire operation on the same
// location is an acquire pattern.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int n = 32;
using Flag = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void report(int* figures, Flag* flags, int* sum)
{
    if (blockIdx.x == 0) {
        figures[threadIdx.x] = threadIdx.x;
        __syncthreads();
        if (threadIdx.x == 0) flags[0].store(1, cuda::memory_order_release);
    } else {
        while (flags[0].load(cuda::memory_order_relaxed) == 0) {
        }
#ifdef REPAIRED
        flags[0].load(cuda::memory_order_acquire);
#else
        flags[1].load(cuda::memory_order_acquire);
#endif
        atomicAdd(sum, figures[threadIdx.x]);
    }
}

int main()
{
    int *figures, *sum, result = 0;
    Flag* flags;
    cudaMalloc(&figures, n * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMalloc(&flags, 2 * sizeof(Flag));
    cudaMemset(sum, 0, sizeof(int));
    cudaMemset(flags, 0, 2 * sizeof(Flag));
    report<<<2, n>>>(figures, flags, sum);
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(figures);
    cudaFree(sum);
    cudaFree(flags);
    if (result != n * (n - 1) / 2) return 1;
    printf("sum %d\n", result);
    return 0;
}
