// verdict: race
// race: lines 26 and 26, variable kept_per_block, global
// repaired: clean
// Stream compaction with warp votes: one atomicAdd a warp reserves room for its elements.
// The warps of a block add to the block's statistics with a plain +=.
// Repaired: the statistics are updated atomically as well.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void compact(const int* in, int n, int* out, int* out_size, int* kept_per_block)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    const bool keep = i < n && in[i] % 4 == 1;
    if (!__any_sync(0xffffffffu, keep)) {
        return;
    }
    const unsigned int votes = __ballot_sync(0xffffffffu, keep);
    int base = 0;
    if (lane == 0) {
        base = atomicAdd(out_size, __popc(votes));
#ifdef REPAIRED
        atomicAdd(&kept_per_block[blockIdx.x], __popc(votes));
#else
        kept_per_block[blockIdx.x] += __popc(votes);
#endif
    }
    base = __shfl_sync(0xffffffffu, base, 0);
    if (keep) {
        out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
    }
}

int main()
{
    const int n = 500, threads = 128, blocks = (n + threads - 1) / threads;
    std::vector<int> in(n), kept(blocks);
    long long expected_sum = 0;
    int expected_size = 0, size = 0;
    for (int i = 0; i < n; i++) {
        in[i] = i * 3;
        if (in[i] % 4 == 1) {
            expected_size++;
            expected_sum += in[i];
        }
    }
    int *d_in, *d_out, *d_size, *d_kept;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMalloc(&d_size, sizeof(int));
    cudaMalloc(&d_kept, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_size, 0, sizeof(int));
    cudaMemset(d_kept, 0, blocks * sizeof(int));
    compact<<<blocks, threads>>>(d_in, n, d_out, d_size, d_kept);
    cudaMemcpy(&size, d_size, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(kept.data(), d_kept, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<int> out(size);
    cudaMemcpy(out.data(), d_out, size * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_size);
    cudaFree(d_kept);
    long long sum = 0;
    for (int value : out) {
        sum += value;
    }
    if (size != expected_size || sum != expected_sum) {
        fprintf(stderr, "wrong elements\n");
        return 1;
    }
#ifdef REPAIRED
    for (int block_kept : kept) {
        size -= block_kept;
    }
    if (size != 0) {
        fprintf(stderr, "wrong statistics\n");
        return 1;
    }
#endif
    printf("kept %d of %d elements\n", expected_size, n);
    return 0;
}
