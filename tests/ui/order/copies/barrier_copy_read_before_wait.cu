// verdict: race
// race: lines 23 and 26, variable s_page, shared
// repaired: clean
// The block copies a page together, and the copy is bound to a barrier: its phase ends after the
// copy has completed and all threads have arrived. The racy form reads after its arrival; only
// the return of wait() orders the copy before the loads.
// Repaired: it reads after the wait.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/std/utility>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void page(const int* in, int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s_page[128];
    const auto block = cg::this_thread_block();
    const int t = threadIdx.x;
    if (t == 0) init(&bar, block.size());
    block.sync();
    cuda::memcpy_async(block, s_page, in, sizeof(int) * 128, bar);
    auto token = bar.arrive();
#ifndef REPAIRED
    out[t] = s_page[127 - t];
#endif
    bar.wait(cuda::std::move(token));
#ifdef REPAIRED
    out[t] = s_page[127 - t];
#endif
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&out, 128 * sizeof(int));
    for (int i = 0; i < 128; i++) in[i] = i + 3;
    page<<<1, 128>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 128; i++) {
        if (out[i] != 127 - i + 3) return 1;
    }
#endif
    return 0;
}
