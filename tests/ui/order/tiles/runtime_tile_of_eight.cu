// verdict: race
// race: lines 23 and 25, variable s_cell, shared
// repaired: clean
// Groups of 16 threads reverse their elements, but the block is partitioned at run time into
// tiles of 8. sync() of a tile synchronises the threads named in the tile, so the element from
// the other half of the 16 is not ordered.
// Repaired: the tiles have 16 threads.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void reverse16(const int* in, int* out)
{
    __shared__ int s_cell[64];
    const int t = threadIdx.x;
    const cg::thread_block block = cg::this_thread_block();
#ifdef REPAIRED
    const cg::thread_group tile = cg::tiled_partition(block, 16);
#else
    const cg::thread_group tile = cg::tiled_partition(block, 8);
#endif
    s_cell[t] = in[t];
    tile.sync();
    out[t] = s_cell[t ^ 15];
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i + 100;
    reverse16<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (out[i] != (i ^ 15) + 100) return 1;
    }
#endif
    return 0;
}
