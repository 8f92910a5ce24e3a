// verdict: race
// race: lines 18 and 23, variable s_keep, shared
// repaired: clean
// Rank of every kept element within its block; __syncthreads_count gives the block's total.
// The ranks are taken before the barrier that __syncthreads_count is.
// Repaired: __syncthreads_count is also the barrier between setting the marks and ranking.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void rank_kept(const int* in, int* rank, int* total)
{
    __shared__ int s_keep[128];
    const int t = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + t;
    const int keep = in[i] > 0;
    int before = 0;
    s_keep[t] = keep;
#ifdef REPAIRED
    const int kept = __syncthreads_count(keep);
#endif
    for (int other = 0; other < t; other++) {
        before += s_keep[other];
    }
#ifndef REPAIRED
    const int kept = __syncthreads_count(keep);
#endif
    rank[i] = keep ? before : -1;
    if (t == 0) {
        total[blockIdx.x] = kept;
    }
}

int main()
{
    const int blocks = 3, threads = 128, n = blocks * threads;
    std::vector<int> in(n), rank(n), total(blocks);
    for (int i = 0; i < n; i++) {
        in[i] = i % 5 - 2;
    }
    int *d_in, *d_rank, *d_total;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_rank, n * sizeof(int));
    cudaMalloc(&d_total, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    rank_kept<<<blocks, threads>>>(d_in, d_rank, d_total);
    cudaMemcpy(rank.data(), d_rank, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(total.data(), d_total, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_rank);
    cudaFree(d_total);
#ifdef REPAIRED
    for (int b = 0; b < blocks; b++) {
        int next = 0;
        for (int i = b * threads; i < (b + 1) * threads; i++) {
            if (rank[i] != (in[i] > 0 ? next++ : -1)) {
                fprintf(stderr, "wrong rank of element %d\n", i);
                return 1;
            }
        }
        if (total[b] != next) {
            fprintf(stderr, "block %d: %d kept instead of %d\n", b, total[b], next);
            return 1;
        }
    }
#endif
    printf("ranked %d elements\n", n);
    return 0;
}
