// verdict: race
// race: lines 27 and 34, variable prize, global
// repaired: clean
// Two blocks raise their flags and look at the other's. Who sees the other one's flag down writes the
// prize; who sees it up waits for nothing and reads it. Block 1 begins when block 0 has looked.
// Looking is relaxed: the loser knows that the winner was first, but acquires nothing. And the
// winner writes after it has raised its flag, so that flag could not publish the prize.
// Repaired: the winner raises a second flag by a release, and the loser acquires it before it reads.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Flag = cuda::atomic<int, cuda::thread_scope_device>;
__device__ Flag up[2], looked{0}, written{0};
__device__ int prize, seen;

__global__ void compete()
{
    const int me = blockIdx.x;
    while (me == 1 && looked.load(cuda::memory_order_relaxed) == 0) {
    }
    up[me].store(1, cuda::memory_order_relaxed);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    const int other = up[1 - me].load(cuda::memory_order_relaxed);
    looked.store(1, cuda::memory_order_relaxed);
    if (other == 0) {
        prize = 77;
        written.store(1, cuda::memory_order_release);
    } else {
#ifdef REPAIRED
        while (written.load(cuda::memory_order_acquire) == 0) {
        }
#endif
        seen = prize;
    }
}

int main()
{
    compete<<<2, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, seen, sizeof result);
#ifdef REPAIRED
    if (result != 77) return 1;
#endif
    printf("seen %d\n", result);
    return 0;
}
