// verdict: race
// race: lines 20 and 20, variable counts, global
// repaired: clean
// All blocks count into one table in global memory.
// atomicAdd_block is atomic only towards the same block, but the table is for all blocks.
// Repaired: atomicAdd is atomic towards the whole device; the block's own table needs only its
// block.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int classes = 6;

__global__ void classify(const int* in, int* counts, int* block_counts)
{
    const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef REPAIRED
    atomicAdd(&counts[value % classes], 1);
#else
    atomicAdd_block(&counts[value % classes], 1);
#endif
    atomicAdd_block(&block_counts[blockIdx.x], value);
}

int main()
{
    const int blocks = 4, threads = 96, n = blocks * threads;
    std::vector<int> in(n), counts(classes), expected(classes), sums(blocks), expected_sums(blocks);
    for (int i = 0; i < n; i++) {
        in[i] = (i * 5) % 61;
        expected[in[i] % classes]++;
        expected_sums[i / threads] += in[i];
    }
    int *d_in, *d_counts, *d_sums;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_counts, classes * sizeof(int));
    cudaMalloc(&d_sums, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_counts, 0, classes * sizeof(int));
    cudaMemset(d_sums, 0, blocks * sizeof(int));
    classify<<<blocks, threads>>>(d_in, d_counts, d_sums);
    cudaMemcpy(counts.data(), d_counts, classes * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(sums.data(), d_sums, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_counts);
    cudaFree(d_sums);
#ifdef REPAIRED
    if (counts != expected || sums != expected_sums) {
        fprintf(stderr, "wrong counts\n");
        return 1;
    }
#endif
    printf("classified %d values\n", n);
    return 0;
}
