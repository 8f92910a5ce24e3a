// verdict: race
// race: lines 21 and 26, variable s_row, shared
// race-also: lines 26 and 26, variable s_row, shared
// repaired: clean
// A tile of 16 threads sums up a row. Tiles without a row have returned, so no barrier of the warp
// or of the block can order the steps of the sum.
// Repaired: the tile synchronises before the sum, and at the end of the loop.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void sum_rows(const int* in, int* out, unsigned rows)
{
    __shared__ int s_rows[8][16];
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const unsigned row = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
    if (row >= rows) return;
    const unsigned lane = tile.thread_rank();
    int* s_row = s_rows[tile.meta_group_rank()];
    s_row[lane] = in[row * 16 + lane];
#ifdef REPAIRED
    tile.sync();
#endif
    for (unsigned stride = tile.num_threads() / 2; stride > 0; stride /= 2) {
        if (lane < stride) s_row[lane] += s_row[lane + stride];
#ifdef REPAIRED
        tile.sync();
#endif
    }
    if (lane == 0) out[row] = s_row[0];
}

int main()
{
    const unsigned rows = 13;
    int *in, *out;
    cudaMallocManaged(&in, rows * 16 * sizeof(int));
    cudaMallocManaged(&out, rows * sizeof(int));
    for (unsigned i = 0; i < rows * 16; i++) in[i] = i;
    sum_rows<<<2, 128>>>(in, out, rows);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (unsigned i = 0; i < rows; i++) {
        if (out[i] != 256 * i + 120) return 1;
    }
#endif
    return 0;
}
