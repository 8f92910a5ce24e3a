// verdict: race
// race: lines 19 and 24, variable s_slot, shared
// repaired: clean
// labeled_partition() makes a group of the lanes with equal labels, and each group synchronises.
// A lane then reads the slot of the next lane of the warp, which has another label and is in
// another group; the collective partition itself promises no memory order.
// Repaired: a lane reads the slot of the next member of its own group.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void ring_by_label(int* out)
{
    __shared__ int s_slot[32];
    const int lane = threadIdx.x;
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const cg::coalesced_group same = cg::labeled_partition(warp, lane % 4);
    s_slot[lane] = lane * 3;
    same.sync();
#ifdef REPAIRED
    out[lane] = s_slot[(lane + 4) % 32];
#else
    out[lane] = s_slot[(lane + 1) % 32];
#endif
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    ring_by_label<<<1, 32>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != (i + 4) % 32 * 3) return 1;
    }
#endif
    return 0;
}
