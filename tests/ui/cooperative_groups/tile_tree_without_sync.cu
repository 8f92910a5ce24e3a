// verdict: race
// race: lines 19 and 19, variable s_sums, shared
// race: lines 19 and 24, variable s_sums, shared
// repaired: clean
// Each tile of 32 threads sums up its values in a tree. A lane adds what its partner wrote in the
// iteration before, and nothing orders the two.
// Repaired: the tile synchronises at the end of the loop.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__device__ int tile_sum(const cg::thread_block_tile<32>& tile, int* s_sums, int value)
{
    const unsigned lane = tile.thread_rank();
    s_sums[lane] = value;
    tile.sync();
    for (unsigned stride = tile.size() / 2; stride > 0; stride /= 2) {
        if (lane < stride) s_sums[lane] += s_sums[lane + stride];
#ifdef REPAIRED
        tile.sync();
#endif
    }
    return s_sums[0];
}

__global__ void sum_of_tiles(const int* in, int* out)
{
    __shared__ int s_values[4][32];
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<32>(block);
    const unsigned row = tile.meta_group_rank();
    const int sum = tile_sum(tile, s_values[row], in[block.thread_rank()]);
    if (tile.thread_rank() == 0) out[row] = sum;
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&out, 4 * sizeof(int));
    for (int i = 0; i < 128; i++) in[i] = i;
    sum_of_tiles<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 4; i++) {
        if (out[i] != 1024 * i + 496) return 1;
    }
#endif
    return 0;
}
