// verdict: race
// race: lines 24 and 29, variable data, global
// race: lines 25 and 28, variable flag, global
// repaired: clean
// A cuda::atomic of block scope is released by one block and acquired by another one.
// Neither scope includes the other thread: store and load race on the flag, and being not morally
// strong they do not synchronise, so the data race, too.
// Repaired: one block does both, with two of its warps, and block scope is enough.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Flag = cuda::atomic<int, cuda::thread_scope_block>;

__global__ void pass(int* data, Flag* flag, int* out)
{
#ifdef REPAIRED
    const bool writes = threadIdx.x == 32, reads = threadIdx.x == 0;
    if (blockIdx.x > 0) return;
#else
    const bool writes = blockIdx.x == 0 && threadIdx.x == 0, reads = blockIdx.x == 1 && threadIdx.x == 0;
#endif
    if (writes) {
        *data = 5;
        flag->store(1, cuda::memory_order_release);
    }
    if (reads) {
        while (flag->load(cuda::memory_order_acquire) == 0);
        *out = *data;
    }
}

int main()
{
    int *data, *out, result = 0;
    Flag* flag;
    cudaMalloc(&data, sizeof(int));
    cudaMalloc(&out, sizeof(int));
    cudaMalloc(&flag, sizeof(Flag));
    cudaMemset(flag, 0, sizeof(Flag));
    pass<<<2, 64>>>(data, flag, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(data);
    cudaFree(out);
    cudaFree(flag);
    if (result != 5) return 1;
    printf("%d\n", result);
    return 0;
}
