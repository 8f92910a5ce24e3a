// verdict: race
// race: lines 20 and 26, variable s_keys, shared
// repaired: clean
// Rank sort: each of 1024 threads counts the smaller keys among the first 64 of its block.
// Keys are compared before all threads have stored theirs.
// Repaired: a barrier makes all keys visible first.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 1024;
constexpr int blocks = 2;
constexpr int sample = 64;

__global__ void rank_in_sample(const int* keys, int* rank)
{
    __shared__ int s_keys[block_size];
    const int i = blockIdx.x * block_size + threadIdx.x;
    const int key = keys[i];
    s_keys[threadIdx.x] = key;
#ifdef REPAIRED
    __syncthreads();
#endif
    int smaller = 0;
    for (int k = 0; k < sample; k++) {
        smaller += s_keys[k] < key;
    }
    rank[i] = smaller;
}

int main()
{
    const int n = block_size * blocks;
    std::vector<int> keys(n), rank(n);
    for (int i = 0; i < n; i++) {
        keys[i] = (i * 6007) % 8191;
    }
    int *d_keys, *d_rank;
    cudaMalloc(&d_keys, n * sizeof(int));
    cudaMalloc(&d_rank, n * sizeof(int));
    cudaMemcpy(d_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    rank_in_sample<<<blocks, block_size>>>(d_keys, d_rank);
    cudaMemcpy(rank.data(), d_rank, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_keys);
    cudaFree(d_rank);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        int expected = 0;
        for (int k = 0; k < sample; k++) {
            expected += keys[i / block_size * block_size + k] < keys[i];
        }
        if (rank[i] != expected) {
            fprintf(stderr, "key %d: rank %d instead of %d\n", i, rank[i], expected);
            return 1;
        }
    }
#endif
    printf("ranked %d keys\n", n);
    return 0;
}
