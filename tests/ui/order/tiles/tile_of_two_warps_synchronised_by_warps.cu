// verdict: race
// race: lines 29 and 35, variable s_values, shared
// repaired: clean
// Tiles of two warps reverse their part of an array. Each warp waits for its own lanes only, but every thread
// reads what a thread of the other warp of its tile has written.
// Repaired: the whole tile waits. The block has two tiles, and neither waits for the other.
#include <cstdio>
#include <vector>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

constexpr int threads = 128, tile_size = 64;

__global__ void reverse(const int* in, int* out, int* sums)
{
    __shared__ cg::block_tile_memory<threads> memory;
    __shared__ int s_values[threads];
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<tile_size>(block);
    auto warp = cg::tiled_partition<32>(tile);
    const int t = threadIdx.x;
    const int rank = tile.thread_rank();
    const int first = tile.meta_group_rank() * tile_size;
    const int sum = cg::reduce(tile, in[t], cg::plus<int>());
    // A reduction orders no memory accesses of the program.
    const bool any = tile.any(sum == 3);
    s_values[t] = in[t] + (any ? 1 : 0);
#ifdef REPAIRED
    tile.sync();
#else
    warp.sync();
#endif
    out[t] = s_values[first + tile_size - 1 - rank];
    if (rank == 0) {
        sums[tile.meta_group_rank()] = sum;
    }
}

int main()
{
    std::vector<int> in(threads), out(threads), sums(threads / tile_size);
    for (int i = 0; i < threads; i++) {
        in[i] = i * i;
    }
    int *d_in, *d_out, *d_sums;
    cudaMalloc(&d_in, threads * sizeof(int));
    cudaMalloc(&d_out, threads * sizeof(int));
    cudaMalloc(&d_sums, sums.size() * sizeof(int));
    cudaMemcpy(d_in, in.data(), threads * sizeof(int), cudaMemcpyHostToDevice);
    reverse<<<1, threads>>>(d_in, d_out, d_sums);
    cudaMemcpy(out.data(), d_out, threads * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(sums.data(), d_sums, sums.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_sums);
    bool correct = true;
    for (int i = 0; i < threads; i++) {
        const int first = i / tile_size * tile_size;
        correct = correct && out[i] == in[first + tile_size - 1 - i % tile_size];
    }
    for (int tile = 0; tile < threads / tile_size; tile++) {
        int sum = 0;
        for (int i = 0; i < tile_size; i++) {
            sum += in[tile * tile_size + i];
        }
        correct = correct && sums[tile] == sum;
    }
#ifdef REPAIRED
    return correct ? 0 : 1;
#else
    printf("%s\n", correct ? "correct" : "wrong");
    return 0;
#endif
}
