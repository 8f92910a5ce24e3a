// verdict: race
// race: lines 19 and 25, variable s_right, shared
// repaired: clean
// Two copies by a group are on their way. cg::wait_prior<1>(group) waits until at most the newest
// one is incomplete, so the copy of the right-hand side may not have arrived.
// Repaired: wait_prior<1>() before the left-hand side is used, wait_prior<0>() before the right.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void dot(const int* left, const int* right, int* out)
{
    __shared__ int s_left[32], s_right[32];
    const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    const int lane = tile.thread_rank();
    cg::memcpy_async(tile, s_left, left, sizeof(int) * 32);
    cg::memcpy_async(tile, s_right, right, sizeof(int) * 32);
    cg::wait_prior<1>(tile);
    const int factor = s_left[31 - lane];
#ifdef REPAIRED
    cg::wait_prior<0>(tile);
#endif
    int product = factor * s_right[31 - lane];
    for (int delta = 16; delta > 0; delta /= 2) product += tile.shfl_down(product, delta);
    if (lane == 0) *out = product;
}

int main()
{
    int *left, *right, *out, expected = 0;
    cudaMallocManaged(&left, 32 * sizeof(int));
    cudaMallocManaged(&right, 32 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 32; i++) {
        left[i] = i;
        right[i] = 2 * i + 1;
        expected += left[i] * right[i];
    }
    dot<<<1, 32>>>(left, right, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (*out != expected) return 1;
#endif
    return 0;
}
