// verdict: race
// race: lines 21 and 23, variable s_scratch, shared
// repaired: clean
// Each tile sorts pairs by shuffles and shares scratch memory with the next round. tile.sync() orders
// the stores before the loads; the shuffle at the start of the next round lets all lanes meet, but
// is no memory barrier, so the next stores race with the last loads.
// Repaired: a tile.sync() at the end of the round.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void mix(int* data, int rounds)
{
    __shared__ int s_scratch[64];
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int t = threadIdx.x, base = t - tile.thread_rank();
    int value = data[t];
    for (int i = 0; i < rounds; i++) {
        const int other = tile.shfl_xor(value, 1);
        s_scratch[t] = tile.thread_rank() % 2 == 0 ? min(value, other) : max(value, other);
        tile.sync();
        value = s_scratch[base + (tile.thread_rank() + 1) % 16];
#ifdef REPAIRED
        tile.sync();
#endif
    }
    data[t] = value;
}

int main()
{
    int *data, before = 0, after = 0;
    cudaMallocManaged(&data, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) {
        data[i] = i * 19 % 64;
        before += data[i];
    }
    mix<<<1, 64>>>(data, 3);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) after += data[i];
#ifdef REPAIRED
    if (before != after) return 1;
#endif
    return 0;
}
