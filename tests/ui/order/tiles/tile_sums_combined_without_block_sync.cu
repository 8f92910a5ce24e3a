// verdict: race
// race: lines 20 and 27, variable s_tile_sum, shared
// repaired: clean
// Tiles of 32 reduce by shuffles, which exchange registers and need no memory order. The tiles'
// sums go through shared memory to the first tile; warp-wide sync() does not order threads of
// different warps.
// Repaired: block.sync(), which is __syncthreads(), between the stores and the loads.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void block_sum(const int* in, int* out)
{
    __shared__ int s_tile_sum[4];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<32>(block);
    int sum = in[blockIdx.x * 128 + block.thread_rank()];
    for (int delta = 16; delta > 0; delta /= 2) sum += tile.shfl_down(sum, delta);
    if (tile.thread_rank() == 0) s_tile_sum[tile.meta_group_rank()] = sum;
#ifdef REPAIRED
    block.sync();
#else
    tile.sync();
#endif
    if (tile.meta_group_rank() == 0) {
        sum = tile.thread_rank() < 4 ? s_tile_sum[tile.thread_rank()] : 0;
        for (int delta = 2; delta > 0; delta /= 2) sum += tile.shfl_down(sum, delta);
        if (tile.thread_rank() == 0) out[blockIdx.x] = sum;
    }
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 256 * sizeof(int));
    cudaMallocManaged(&out, 2 * sizeof(int));
    for (int i = 0; i < 256; i++) in[i] = i;
    block_sum<<<2, 128>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (out[0] != 127 * 64 || out[1] != 127 * 64 + 128 * 128) return 1;
#endif
    return 0;
}
