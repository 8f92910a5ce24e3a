// verdict: fault
// fault: HF020, line 27
// repaired: clean
// Each block of a pair reads the other's shared memory. The cluster meets before the reads and not after them,
// so that a block may end while the other one still reads its memory.
// Repaired: the cluster meets once more at the end.
#include <cstdio>
#include <vector>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

constexpr int threads = 32, blocks = 4;

__global__ void __cluster_dims__(2, 1, 1) exchange(int* out)
{
    extern __shared__ int numbers[];
    cg::cluster_group cluster = cg::this_cluster();
    const int t = threadIdx.x;
    numbers[t] = blockIdx.x * threads + t;
    cluster.sync();
    const int* const others = cluster.map_shared_rank(numbers, cluster.block_rank() ^ 1);
    const int mirrored = threads - 1 - t;
    if (blockIdx.x % 2 == 0 || t % 2 == 0) {
        out[blockIdx.x * threads + t] =
            // The other block's number.
            others[mirrored];
    }
#ifdef REPAIRED
    cluster.sync();
#endif
}

int main()
{
    const int n = blocks * threads;
    std::vector<int> out(n);
    int* d_out;
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemset(d_out, 0, n * sizeof(int));
    exchange<<<blocks, threads, threads * sizeof(int)>>>(d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    bool correct = true;
    for (int i = 0; i < n; i++) {
        const int block = i / threads, t = i % threads;
        const int expected = block % 2 == 0 || t % 2 == 0 ? (block ^ 1) * threads + threads - 1 - t : 0;
        correct = correct && out[i] == expected;
    }
    printf("%s\n", correct ? "correct" : "wrong");
#ifdef REPAIRED
    return correct ? 0 : 1;
#else
    return 0;
#endif
}
