// verdict: race
// race-any: lines 26 and 41, variable aggregate, global
// race-any: lines 38 and 43, variable inclusive, global
// repaired: clean
// Decoupled look-back: a block publishes its aggregate, adds those of its predecessors until it finds
// one with an inclusive prefix, and publishes its own prefix. The schedule decides which one it finds.
// The stores of the status have fences before them, but no fence follows the polling: no acquire
// pattern, so neither value is ordered.
// Repaired: strong load and fence are an acquire pattern for the status that was seen.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int blocks = 6;
__device__ volatile int status[blocks];
__device__ int aggregate[blocks], inclusive[blocks];

__device__ void fence()
{
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
}

__global__ void scan()
{
    const int b = blockIdx.x, mine = b * b + 1;
    aggregate[b] = mine;
    fence();
    status[b] = 1;
    int before = 0;
    for (int p = b - 1; p >= 0; p--) {
        int s;
        do s = status[p];
        while (s == 0);
#ifdef REPAIRED
        fence();
#endif
        if (s == 2) {
            before += inclusive[p];
            break;
        }
        before += aggregate[p];
    }
    inclusive[b] = before + mine;
    fence();
    status[b] = 2;
}

int main()
{
    scan<<<blocks, 1>>>();
    int result[blocks], sum = 0;
    cudaMemcpyFromSymbol(result, inclusive, sizeof result);
    for (int b = 0; b < blocks; b++) {
        sum += b * b + 1;
        if (result[b] != sum) return 1;
    }
    printf("sum %d\n", sum);
    return 0;
}
