// verdict: race
// race: lines 22 and 26, variable posts, global
// repaired: clean
// grid.barrier_arrive() and grid.barrier_wait() split the grid's barrier. What a thread stores after
// its arrival is not ordered before the other blocks' loads after their waits.
// Repaired: the posts are stored before the arrival; in between, a thread works for itself.
#include <cooperative_groups.h>
#include <cuda/std/utility>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void post(int* posts, int* out, int n)
{
    const cg::grid_group grid = cg::this_grid();
    const int i = static_cast<int>(grid.thread_rank());
#ifdef REPAIRED
    posts[i] = i + 5;
#endif
    auto token = grid.barrier_arrive();
#ifndef REPAIRED
    posts[i] = i + 5;
#endif
    out[i] = i;
    grid.barrier_wait(cuda::std::move(token));
    out[i] += posts[n - 1 - i];
}

int main()
{
    int n = 4 * 32, *posts, *out;
    cudaMallocManaged(&posts, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    void* arguments[] = {&posts, &out, &n};
    cudaLaunchCooperativeKernel((void*)post, dim3(4), dim3(32), arguments, 0, nullptr);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (out[i] != n - 1 + 5) return 1;
    }
#endif
    return 0;
}
