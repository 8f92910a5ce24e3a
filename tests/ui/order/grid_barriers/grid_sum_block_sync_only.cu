// verdict: race
// race: lines 19 and 27, variable partial, global
// repaired: clean
// Every block stores a partial sum, and then block 0 adds them up in the same kernel. block.sync()
// orders threads of one block; it says nothing about the stores of other blocks.
// Repaired: grid.sync(), which all threads of the cooperative launch reach.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void total(const int* in, int* partial, int* out)
{
    const auto grid = cg::this_grid();
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const int sum = cg::reduce(warp, in[grid.thread_rank()], cg::plus<int>());
    if (block.thread_rank() == 0) partial[blockIdx.x] = sum;
#ifdef REPAIRED
    grid.sync();
#else
    block.sync();
#endif
    if (grid.thread_rank() == 0) {
        int all = 0;
        for (unsigned b = 0; b < gridDim.x; b++) all += partial[b];
        *out = all;
    }
}

int main()
{
    int *in, *partial, *out;
    cudaMallocManaged(&in, 6 * 32 * sizeof(int));
    cudaMallocManaged(&partial, 6 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 6 * 32; i++) in[i] = i;
    void* arguments[] = {&in, &partial, &out};
    cudaLaunchCooperativeKernel((void*)total, dim3(6), dim3(32), arguments, 0, nullptr);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (*out != 191 * 96) return 1;
#endif
    return 0;
}
