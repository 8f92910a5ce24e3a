// verdict: race
// race: lines 39 and 39, variable heat, global
// race: lines 39 and 42, variable heat, global
// race: lines 42 and 44, variable heat, global
// repaired: clean
// A sense-reversing barrier: the last block to arrive resets the count and flips the sense, which the
// others poll. Arriving is acq_rel, so the last block is ordered after all.
// It flips the sense relaxed: what it has acquired and written itself is not released to the others.
// Repaired: the flip is a release, which the polls acquire.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int blocks = 4, steps = 3;
using Word = cuda::atomic<int, cuda::thread_scope_device>;
#ifdef REPAIRED
constexpr auto flip = cuda::memory_order_release;
#else
constexpr auto flip = cuda::memory_order_relaxed;
#endif
__device__ Word arrived{0}, sense{0};
__device__ int heat[2][blocks];

__device__ void barrier(int now)
{
    if (arrived.fetch_add(1, cuda::memory_order_acq_rel) == blocks - 1) {
        arrived.store(0, cuda::memory_order_relaxed);
        sense.store(now, flip);
    } else {
        while (sense.load(cuda::memory_order_acquire) != now) {
        }
    }
}

__global__ void diffuse()
{
    const int b = blockIdx.x;
    for (int s = 0; s < steps; s++) {
        heat[s % 2][b] = s == 0 ? b : heat[(s + 1) % 2][(b + 1) % blocks];
        barrier(s % 2 == 0);
    }
    const int next = heat[0][(b + 1) % blocks];
    barrier(steps % 2 == 0);
    heat[0][b] = next;
}

int main()
{
    diffuse<<<blocks, 1>>>();
    int result[2][blocks];
    cudaMemcpyFromSymbol(result, heat, sizeof result);
    for (int b = 0; b < blocks; b++) {
        if (result[0][b] != (b + steps) % blocks) return 1;
    }
    printf("diffused\n");
    return 0;
}
