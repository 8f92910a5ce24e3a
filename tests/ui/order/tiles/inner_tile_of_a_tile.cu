// verdict: race
// race: lines 19 and 27, variable s_corner, shared
// repaired: clean
// A tile of 16 is divided into tiles of 4, whose leaders each store a corner. The last thread of
// the outer tile combines the four corners, but the inner tile's sync() orders only the three
// threads next to it and itself.
// Repaired: sync() of the outer tile.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void corners(int* out)
{
    __shared__ int s_corner[2][4];
    const auto outer = cg::tiled_partition<16>(cg::this_thread_block());
    const auto inner = cg::tiled_partition<4>(outer);
    const int group = threadIdx.x / 16;
    if (inner.thread_rank() == 0) s_corner[group][inner.meta_group_rank()] = 10 + inner.meta_group_rank();
#ifdef REPAIRED
    outer.sync();
#else
    inner.sync();
#endif
    if (outer.thread_rank() == 15) {
        int product = 1;
        for (int corner : s_corner[group]) product *= corner;
        out[group] = product;
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 2 * sizeof(int));
    corners<<<1, 32>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (out[0] != 10 * 11 * 12 * 13 || out[1] != out[0]) return 1;
#endif
    return 0;
}
