// verdict: race
// race: lines 23 and 27, variable s_line, shared
// repaired: clean
// A tile is copied by cg::memcpy_async(), and two threads store its halo by plain stores after
// cg::wait(). The wait synchronises the block, but the halo is stored after it and read
// without a further barrier.
// Repaired: the halo is stored before cg::wait(), whose synchronisation then covers it, too.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void stencil(const int* in, int* out)
{
    __shared__ alignas(16) int s_line[64 + 2];
    const auto block = cg::this_thread_block();
    const int t = threadIdx.x;
    cg::memcpy_async(block, s_line, in, sizeof(int) * 64);
#ifndef REPAIRED
    cg::wait(block);
#endif
    if (t == 33) s_line[64] = s_line[65] = -7;
#ifdef REPAIRED
    cg::wait(block);
#endif
    out[t] = s_line[t + 2] - s_line[t];
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i * i;
    stencil<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        const int right = i + 2 < 64 ? (i + 2) * (i + 2) : -7;
        if (out[i] != right - i * i) return 1;
    }
#endif
    return 0;
}
