// verdict: race
// race: lines 22 and 28, variable s_mark, shared
// repaired: clean
// Lanes with a mark synchronise as a coalesced group inside the branch. The group consists of the
// threads in the branch, so its sync() does not order their stores before the loads that the
// other lanes make behind the branch.
// Repaired: the whole warp synchronises behind the branch.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void spread_marks(const int* in, int* out)
{
    __shared__ int s_mark[64];
    const int t = threadIdx.x;
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    s_mark[t] = 0;
    warp.sync();
    if (in[t] > 5) {
        const cg::coalesced_group marked = cg::coalesced_threads();
        s_mark[t] = marked.size();
        marked.sync();
    }
#ifdef REPAIRED
    warp.sync();
#endif
    if (in[t] <= 5) out[t] = s_mark[t ^ 1];
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) {
        in[i] = i % 4 == 1 ? 9 : 0;
        out[i] = -1;
    }
    spread_marks<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (i % 4 == 0 ? out[i] <= 0 : i % 4 == 1 ? out[i] != -1 : out[i] != 0) return 1;
    }
#endif
    return 0;
}
