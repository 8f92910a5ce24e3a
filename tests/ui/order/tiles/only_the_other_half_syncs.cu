// verdict: race
// race: lines 18 and 24, variable s_work, shared
// repaired: clean
// The lower tile of a warp produces work, and the upper tile synchronises before it takes it. But
// sync() of a tile waits for the members of this tile; the producers are members of the other.
// Repaired: both halves meet in the sync() of a tile of 32.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void hand_up(int* out)
{
    __shared__ int s_work[16];
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto half = cg::tiled_partition<16>(warp);
    const int rank = half.thread_rank();
    if (half.meta_group_rank() == 0) s_work[rank] = rank * rank;
#ifdef REPAIRED
    warp.sync();
#endif
    if (half.meta_group_rank() == 1) {
        half.sync();
        out[rank] = s_work[15 - rank];
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 16 * sizeof(int));
    hand_up<<<1, 32>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 16; i++) {
        if (out[i] != (15 - i) * (15 - i)) return 1;
    }
#endif
    return 0;
}
