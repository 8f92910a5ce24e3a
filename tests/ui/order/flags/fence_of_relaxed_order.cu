// verdict: race
// race: lines 17 and 28, variable value, global
// repaired: clean
// A relaxed flag between fences of atomic_thread_fence().
// The writer's fence has memory_order_relaxed, which is no fence at all: no release pattern.
// Repaired: a release fence. Fence and relaxed store are a release pattern, relaxed load and fence
// an acquire pattern, and fences and flag all have device scope.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Flag = cuda::atomic<bool, cuda::thread_scope_device>;

__global__ void pass(long long* value, Flag* set, long long* seen)
{
    if (blockIdx.x == 0) {
        *value = 1ll << 40;
#ifdef REPAIRED
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
#else
        cuda::atomic_thread_fence(cuda::memory_order_relaxed, cuda::thread_scope_device);
#endif
        set->store(true, cuda::memory_order_relaxed);
    } else {
        while (!set->load(cuda::memory_order_relaxed)) {
        }
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        *seen = *value;
    }
}

int main()
{
    long long *value, *seen, result;
    Flag* set;
    cudaMalloc(&value, sizeof(long long));
    cudaMalloc(&seen, sizeof(long long));
    cudaMalloc(&set, sizeof(Flag));
    cudaMemset(set, 0, sizeof(Flag));
    pass<<<2, 1>>>(value, set, seen);
    cudaMemcpy(&result, seen, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(value);
    cudaFree(seen);
    cudaFree(set);
    if (result != 1ll << 40) return 1;
    printf("seen %lld\n", result);
    return 0;
}
