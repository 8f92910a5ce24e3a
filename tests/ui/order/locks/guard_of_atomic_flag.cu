// verdict: race
// race: lines 33 and 33, variable total, global
// repaired: clean
// A guard takes a cuda::std::atomic_flag in its constructor and clears it in its destructor.
// clear() is relaxed: the update is before no release, and the next holder's acquire orders nothing.
// Repaired: clear() releases. test_and_set() acquires in both forms.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Flag = cuda::std::atomic_flag;

struct Guard {
    Flag& flag;
    __device__ explicit Guard(Flag& it) : flag(it)
    {
        while (flag.test_and_set(cuda::memory_order_acquire)) {
        }
    }
    __device__ ~Guard()
    {
#ifdef REPAIRED
        flag.clear(cuda::memory_order_release);
#else
        flag.clear(cuda::memory_order_relaxed);
#endif
    }
};

__global__ void add_up(Flag* flag, const short* in, int* total)
{
    Guard guard(*flag);
    *total += in[blockIdx.x];
}

int main()
{
    const short in[] = {5, -3, 9, 4};
    short* d_in;
    int *total, result = 0;
    Flag* flag;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&total, sizeof(int));
    cudaMalloc(&flag, sizeof(Flag));
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(total, 0, sizeof(int));
    cudaMemset(flag, 0, sizeof(Flag));
    add_up<<<4, 1>>>(flag, d_in, total);
    cudaMemcpy(&result, total, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(total);
    cudaFree(flag);
    if (result != 15) return 1;
    printf("total %d\n", result);
    return 0;
}
