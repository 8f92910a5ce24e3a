// verdict: race
// race: lines 19 and 29, variable piece, global
// repaired: clean
// Blocks set their bits in a cuda::std::atomic, which has system scope; the last block waits for all.
// The bits are set by relaxed fetch_or(): no release pattern for the pieces.
// Repaired: fetch_or() releases. Each one reads the word that the one before wrote, so all of them
// precede the acquire in observation order.
#include <cstdio>
#include <cuda/std/atomic>
#include <cuda_runtime.h>

constexpr unsigned writers = 5;
__device__ cuda::std::atomic<unsigned> done{0};
__device__ unsigned piece[writers], joined;

__global__ void join()
{
    if (blockIdx.x < writers) {
        piece[blockIdx.x] = 1u << (4 * blockIdx.x);
#ifdef REPAIRED
        done.fetch_or(1u << blockIdx.x, cuda::std::memory_order_release);
#else
        done.fetch_or(1u << blockIdx.x, cuda::std::memory_order_relaxed);
#endif
    } else {
        while (done.load(cuda::std::memory_order_acquire) != (1u << writers) - 1) {
        }
        unsigned all = 0;
        for (unsigned w = 0; w < writers; w++) all |= piece[w];
        joined = all;
    }
}

int main()
{
    join<<<writers + 1, 1>>>();
    unsigned result = 0;
    cudaMemcpyFromSymbol(&result, joined, sizeof result);
    if (result != 0x11111) return 1;
    printf("joined %x\n", result);
    return 0;
}
