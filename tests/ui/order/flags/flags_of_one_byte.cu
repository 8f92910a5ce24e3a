// verdict: race
// race: lines 19 and 28, variable halves, global
// repaired: clean
// Two blocks fill a half each and set a flag of one byte; the flags share a word. The third block waits
// for the first flag only, and sums up both halves.
// Repaired: it waits for both. The store to the second byte takes nothing from what the first one released.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int n = 32;
using Flag = cuda::atomic<unsigned char, cuda::thread_scope_device>;

__global__ void sum_up(int* halves, Flag* full, int* sum)
{
    const int t = threadIdx.x;
    if (blockIdx.x < 2) {
        const int half = blockIdx.x;
        halves[half * n + t] = t;
        __syncthreads();
        if (t == 0) full[half].store(1, cuda::memory_order_release);
    } else {
        while (full[0].load(cuda::memory_order_acquire) == 0) {
        }
#ifdef REPAIRED
        while (full[1].load(cuda::memory_order_acquire) == 0) {}
#endif
        atomicAdd(sum, halves[t] + halves[n + t]);
    }
}

int main()
{
    int *halves, *sum, result = 0;
    Flag* full;
    cudaMalloc(&halves, 2 * n * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMalloc(&full, 2 * sizeof(Flag));
    cudaMemset(sum, 0, sizeof(int));
    cudaMemset(full, 0, 2 * sizeof(Flag));
    sum_up<<<3, n>>>(halves, full, sum);
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(halves);
    cudaFree(sum);
    cudaFree(full);
    if (result != n * (n - 1)) return 1;
    printf("sum %d\n", result);
    return 0;
}
