// verdict: race
// race: lines 25 and 33, variable s_stages, shared
// race: lines 25 and 25, variable s_stages, shared
// repaired: clean
// Each thread copies its element of the next tiles into a ring of stages, ahead of the block, which
// reads a tile after a barrier. Nobody waits for the copies: the barrier orders only what has
// happened, and the bytes may still be on their way.
// Repaired: each thread waits for its copy of the oldest stage before the barrier.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

template <int stages>
__global__ void flip_tiles(const int* in, int* out, int tiles)
{
    __shared__ int s_stages[stages][64];
    const auto block = cg::this_thread_block();
    const int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    for (int tile = 0, fetched = 0; tile < tiles; tile++) {
        for (; fetched < tiles && fetched < tile + stages; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s_stages[fetched % stages][t], &in[fetched * 64 + t], sizeof(int), pipe);
            pipe.producer_commit();
        }

#ifdef REPAIRED
        pipe.consumer_wait();
#endif
        block.sync();
        out[tile * 64 + t] = s_stages[tile % stages][63 - t];
        block.sync();
        pipe.consumer_release();
    }
}

int main()
{
    const int tiles = 5;
    int *in, *out;
    cudaMallocManaged(&in, tiles * 64 * sizeof(int));
    cudaMallocManaged(&out, tiles * 64 * sizeof(int));
    for (int i = 0; i < tiles * 64; i++) in[i] = 3 * i;
    flip_tiles<2><<<1, 64>>>(in, out, tiles);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < tiles * 64; i++) {
        if (out[i] != 3 * (i / 64 * 64 + 63 - i % 64)) return 1;
    }
#endif
    return 0;
}
