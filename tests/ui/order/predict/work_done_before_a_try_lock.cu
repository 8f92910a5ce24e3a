// verdict: possible
// possible: lines 20 and 45, variable message, global
// predict: 8
// repaired: clean
// Threads of one warp take a lock in a loop that tries, so that lanes do not wait for one another. The
// first lane of block 0 has left a message before, and that of block 1 reads it after its own section.
// Repaired: block 0 sets a flag with a release, and block 1 waits for it with acquires.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ int lock = 0;
__device__ int members = 0, message = 0, copy = 0;
__device__ cuda::atomic<int, cuda::thread_scope_device> sent{0};

__global__ void join()
{
    const bool first = threadIdx.x == 0;
    if (first && blockIdx.x == 0) {
        message = 42;
#ifdef REPAIRED
        sent.store(1, cuda::memory_order_release);
#endif
    }
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence();
            members += 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }

    if (!first || blockIdx.x != 1) {
        return;
    }
#ifdef REPAIRED
    while (sent.load(cuda::memory_order_acquire) == 0) {
    }
#endif


    copy = message;
}

int main()
{
    join<<<2, 4>>>();
    int count = 0;
    cudaMemcpyFromSymbol(&count, members, sizeof count);
    if (count != 8) return 1;
#ifdef REPAIRED
    int found = 0;
    cudaMemcpyFromSymbol(&found, copy, sizeof found);
    if (found != 42) return 1;
#endif
    printf("%d members\n", count);
    return 0;
}
