// verdict: race
// race-any: lines 21 and 29, variable s_keys, shared
// race-any: lines 21 and 33, variable s_keys, shared
// repaired: clean
// Bitonic sort of 256 keys per block in shared memory; the lower of two partners acts.
// The first compare-exchange does not wait until the partner's key is loaded.
// Repaired: a barrier follows the load and every compare-exchange step.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 256;
constexpr int blocks = 2;

__global__ void sort_blocks(int* keys)
{
    __shared__ int s_keys[block_size];
    const int t = threadIdx.x;
    int* const block_keys = keys + blockIdx.x * block_size;
    s_keys[t] = block_keys[t];
#ifdef REPAIRED
    __syncthreads();
#endif
    for (int size = 2; size <= block_size; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const int partner = t ^ stride;
            if (t < partner) {
                const int a = s_keys[t], b = s_keys[partner];
                const bool ascending = (t & size) == 0;
                if ((a > b) == ascending) {
                    s_keys[t] = b;
                    s_keys[partner] = a;
                }
            }
            __syncthreads();
        }
    }
    block_keys[t] = s_keys[t];
}

int main()
{
    const int n = block_size * blocks;
    std::vector<int> keys(n);
    for (int i = 0; i < n; i++) {
        keys[i] = (i * 7919 + 13) % 4093;
    }
    std::vector<int> expected = keys;
    int* d_keys;
    cudaMalloc(&d_keys, n * sizeof(int));
    cudaMemcpy(d_keys, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sort_blocks<<<blocks, block_size>>>(d_keys);
    cudaMemcpy(keys.data(), d_keys, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_keys);
    for (int b = 0; b < blocks; b++) {
        std::sort(expected.begin() + b * block_size, expected.begin() + (b + 1) * block_size);
    }
#ifdef REPAIRED
    if (keys != expected) {
        fprintf(stderr, "not sorted\n");
        return 1;
    }
#endif
    printf("sorted %d keys\n", n);
    return 0;
}
