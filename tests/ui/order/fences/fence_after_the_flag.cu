// verdict: race
// race: lines 15 and 27, variable frame, global
// repaired: clean
// The writer's release fence comes after the flag.
// A release pattern is fence, then strong write; here no strong write follows the fence.
// Repaired: the two change places.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

__global__ void show(int4* frame, int* flag, int* out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> shown(*flag);
    if (blockIdx.x == 0) {
        *frame = make_int4(1, 2, 3, 4);
#ifdef REPAIRED
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
#endif
        shown.store(1, cuda::memory_order_relaxed);
#ifndef REPAIRED
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
#endif
    } else {
        while (shown.load(cuda::memory_order_relaxed) == 0) {
        }
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        const int4 seen = *frame;
        *out = seen.x + seen.y + seen.z + seen.w;
    }
}

int main()
{
    int4* frame;
    int *words, result = 0;
    cudaMalloc(&frame, sizeof(int4));
    cudaMalloc(&words, 2 * sizeof(int));
    cudaMemset(words, 0, 2 * sizeof(int));
    show<<<2, 1>>>(frame, words, words + 1);
    cudaMemcpy(&result, words + 1, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(frame);
    cudaFree(words);
    if (result != 10) return 1;
    printf("%d\n", result);
    return 0;
}
