// verdict: race
// race: lines 17 and 24, variable s_queue, shared
// repaired: clean
// The lanes of a tile fill a queue and vote by tile.any() whether to go on. Like the votes of a
// warp, those of a tile exchange a predicate and imply no memory barrier.
// Repaired: cg::sync(tile) before the queue is read.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void drain(const int* in, int* out)
{
    __shared__ int s_queue[32];
    const int t = threadIdx.x;
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    s_queue[t] = in[t];
    if (tile.any(in[t] > 20)) {
#ifdef REPAIRED
        cg::sync(tile);
#endif
        if (tile.thread_rank() == 7) {
            int most = 0;
            for (int i = t - 7; i <= t; i++) most = max(most, s_queue[i]);
            out[t / 8] = most;
        }
    }
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 32 * sizeof(int));
    cudaMallocManaged(&out, 4 * sizeof(int));
    for (int i = 0; i < 4; i++) out[i] = 0;
    for (int i = 0; i < 32; i++) in[i] = i;
    drain<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (out[0] != 0 || out[1] != 0 || out[2] != 23 || out[3] != 31) return 1;
#endif
    return 0;
}
