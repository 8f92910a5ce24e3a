// verdict: race
// race: lines 23 and 25, variable s_pair, shared
// repaired: clean
// A kernel template exchanges elements across `Reach` lanes, for a reach of 1, 2, 4, 8 and 16. A
// tile of `Reach` threads never contains both partners, and tile.sync() orders the threads of
// one tile only; tile<1>.sync() orders nothing at all.
// Repaired: tiles of twice that size contain both.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

template <int Reach>
__global__ void butterfly(int* data)
{
    __shared__ int s_pair[32];
    const int t = threadIdx.x;
#ifdef REPAIRED
    const auto tile = cg::tiled_partition<2 * Reach>(cg::this_thread_block());
#else
    const auto tile = cg::tiled_partition<Reach>(cg::this_thread_block());
#endif
    s_pair[t] = data[t];
    tile.sync();
    data[t] += s_pair[t ^ Reach];
}

int main()
{
    int* data;
    cudaMallocManaged(&data, 32 * sizeof(int));
    for (int i = 0; i < 32; i++) data[i] = i;
    butterfly<1><<<1, 32>>>(data);
    butterfly<2><<<1, 32>>>(data);
    butterfly<4><<<1, 32>>>(data);
    butterfly<8><<<1, 32>>>(data);
    butterfly<16><<<1, 32>>>(data);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (data[i] != 31 * 16) return 1;
    }
#endif
    return 0;
}
