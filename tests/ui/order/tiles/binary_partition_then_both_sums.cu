// verdict: race
// race: lines 22 and 28, variable s_sums, shared
// repaired: clean
// A tile of 16 splits by a predicate. Each part adds up its values by shuffles, its first member
// stores the sum, and the part synchronises. A sync() of a part orders that part; lane 0 of the
// tile also reads the sum of the other part.
// Repaired: the tile that was split synchronises before lane 0 reads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void split_sums(const int* in, int* out)
{
    __shared__ int s_sums[4][2];
    const int t = threadIdx.x;
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const bool large = in[t] >= 50;
    const cg::coalesced_group part = cg::binary_partition(tile, large);
    const int sum = cg::reduce(part, in[t], cg::plus<int>());
    if (part.thread_rank() == 0) s_sums[t / 16][large] = sum;
#ifdef REPAIRED
    tile.sync();
#else
    part.sync();
#endif
    if (tile.thread_rank() == 0) out[t / 16] = s_sums[t / 16][1] - s_sums[t / 16][0];
}

int main()
{
    int *in, *out, expected[4] = {};
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 4 * sizeof(int));
    for (int i = 0; i < 64; i++) {
        in[i] = i * 31 % 100;
        expected[i / 16] += in[i] >= 50 ? in[i] : -in[i];
    }
    split_sums<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 4; i++) {
        if (out[i] != expected[i]) return 1;
    }
#endif
    return 0;
}
