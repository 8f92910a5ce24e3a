// verdict: clean
// predict: 8
// A scan with look-back: a block takes its number from a counter, publishes its own sum, and adds the
// sums before it until it finds a prefix.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int blocks = 6;
enum State { empty, sum_known, prefix_known };
__device__ cuda::atomic<int, cuda::thread_scope_device> state[blocks];
__device__ int number = 0;
__device__ int sums[blocks], prefixes[blocks];

__global__ void scan()
{
    const int me = atomicAdd(&number, 1);
    const int own = me + 1;
    sums[me] = own;
    state[me].store(sum_known, cuda::memory_order_release);
    int before = 0;
    for (int other = me - 1; other >= 0;) {
        const int known = state[other].load(cuda::memory_order_acquire);
        if (known == empty) continue;
        before += known == prefix_known ? prefixes[other] : sums[other];
        if (known == prefix_known) break;
        --other;
    }
    prefixes[me] = before + own;
    state[me].store(prefix_known, cuda::memory_order_release);
}

int main()
{
    scan<<<blocks, 1>>>();
    int result[blocks];
    cudaMemcpyFromSymbol(result, prefixes, sizeof result);
    for (int i = 0; i < blocks; ++i) {
        if (result[i] != (i + 1) * (i + 2) / 2) return 1;
    }
    printf("%d\n", result[blocks - 1]);
    return 0;
}
