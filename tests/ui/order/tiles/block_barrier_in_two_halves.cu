// verdict: race
// race: lines 24 and 28, variable s_late, shared
// repaired: clean
// block.barrier_arrive() and block.barrier_wait() are the halves of a block barrier. A wait orders
// what the others did before they *arrived*; what a thread stores between its arrival and its
// wait is not covered, and the others read it after their waits.
// Repaired: the store comes before the arrival, and only private work lies in between.
#include <cooperative_groups.h>
#include <cuda/std/utility>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void overlap(int* out)
{
    __shared__ int s_late[64];
    const cg::thread_block block = cg::this_thread_block();
    const int t = threadIdx.x;
#ifdef REPAIRED
    s_late[t] = t + 7;
#endif
    auto token = block.barrier_arrive();
#ifndef REPAIRED
    s_late[t] = t + 7;
#endif
    const int own = t * t;
    block.barrier_wait(cuda::std::move(token));
    out[t] = own + s_late[63 - t];
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 64 * sizeof(int));
    overlap<<<1, 64>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (out[i] != i * i + 63 - i + 7) return 1;
    }
#endif
    return 0;
}
