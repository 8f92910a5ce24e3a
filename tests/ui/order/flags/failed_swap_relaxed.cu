// verdict: race
// race: lines 19 and 32, variable value, global
// repaired: clean
// A reader waits for a flag by a compare-and-swap that is meant to fail once the flag is set.
// A swap that fails is a read with the order for failure. A relaxed one synchronises with nothing, and
// the read of the value races.
// Repaired: the order for failure is acquire.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Flag = cuda::atomic<int, cuda::thread_scope_device>;

constexpr int unset = 0, set = 1;

__global__ void exchange(Flag* flag, int* value, int* result)
{
    if (blockIdx.x == 0) {
        *value = 42;
        flag->store(set, cuda::memory_order_release);
        return;
    }
    int seen = unset;
    while (seen != set) {
        seen = unset;
#ifdef REPAIRED
        flag->compare_exchange_strong(seen, unset, cuda::memory_order_relaxed, cuda::memory_order_acquire);
#else
        flag->compare_exchange_strong(seen, unset, cuda::memory_order_relaxed, cuda::memory_order_relaxed);
#endif
    }
    *result = *value;
}

int main()
{
    Flag* flag;
    int *values, result = 0;
    cudaMalloc(&flag, sizeof(Flag));
    cudaMalloc(&values, 2 * sizeof(int));
    cudaMemset(flag, 0, sizeof(Flag));
    cudaMemset(values, 0, 2 * sizeof(int));
    exchange<<<2, 1>>>(flag, values, values + 1);
    cudaMemcpy(&result, values + 1, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(flag);
    cudaFree(values);
    if (result != 42) return 1;
    printf("%d\n", result);
    return 0;
}
