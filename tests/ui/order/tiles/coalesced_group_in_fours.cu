// verdict: race
// race: lines 20 and 27, variable s_chain, shared
// repaired: clean
// The coalesced lanes of a branch are divided into groups of four by rank. Each lane reads what
// the lane with the next rank stored; for every fourth lane this is a lane of the next group,
// which the sync() of its own group does not include.
// Repaired: the coalesced group as a whole synchronises.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void chain(int* out)
{
    __shared__ int s_chain[32];
    const int lane = threadIdx.x;
    if (lane % 2 == 1) {
        const cg::coalesced_group odd = cg::coalesced_threads();
        const cg::coalesced_group four = cg::tiled_partition(odd, 4);
        s_chain[odd.thread_rank()] = 5 * lane;
#ifdef REPAIRED
        odd.sync();
#else
        four.sync();
#endif
        const unsigned next = (odd.thread_rank() + 1) % odd.size();
        out[lane] = s_chain[next] + four.size();
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 32; i++) out[i] = -1;
    chain<<<1, 32>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != (i % 2 == 1 ? 5 * ((i + 2) % 32) + 4 : -1)) return 1;
    }
#endif
    return 0;
}
