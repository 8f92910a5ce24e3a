// verdict: race
// race: lines 19 and 34, variable origin, global
// repaired: clean
// Block 0 releases to block 1, which releases to block 2 with another flag; block 2 reads block 0's data.
// Block 1 reads the first flag relaxed. Its own release store comes after nothing of block 0 (as a
// release fence it would be the fence of an acquire pattern, too; a release operation is not).
// Repaired: block 1 acquires the first flag, and the two links compose to causality order.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Flag = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void relay(int* origin, int* added, Flag* flag, int* out)
{
    if (threadIdx.x != 0) return;
    switch (blockIdx.x) {
    case 0:
        *origin = 40;
        flag[0].store(1, cuda::memory_order_release);
        break;
    case 1:
#ifdef REPAIRED
        while (flag[0].load(cuda::memory_order_acquire) == 0);
#else
        while (flag[0].load(cuda::memory_order_relaxed) == 0);
#endif
        *added = 2;
        flag[1].store(1, cuda::memory_order_release);
        break;
    case 2:
        while (flag[1].load(cuda::memory_order_acquire) == 0);
        *out = *added;
        *out += *origin;
    }
}

int main()
{
    int *words, result = 0;
    Flag* flags;
    cudaMalloc(&words, 3 * sizeof(int));
    cudaMalloc(&flags, 2 * sizeof(Flag));
    cudaMemset(flags, 0, 2 * sizeof(Flag));
    relay<<<3, 32>>>(words, words + 1, flags, words + 2);
    cudaMemcpy(&result, words + 2, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(words);
    cudaFree(flags);
    if (result != 42) return 1;
    printf("%d\n", result);
    return 0;
}
