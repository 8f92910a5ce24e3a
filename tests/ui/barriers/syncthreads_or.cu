// verdict: race
// race: lines 25 and 31, variable s_low, shared
// repaired: clean
// Running minimum of a block by relaxation until __syncthreads_or sees no change.
// The neighbour's value is read while the neighbour may be storing its next one.
// Repaired: a barrier keeps the reads of a round before its writes.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 64;
constexpr int blocks = 3;

__global__ void running_minimum(const int* in, int* out)
{
    __shared__ int s_low[block_size];
    const int t = threadIdx.x;
    const int i = blockIdx.x * block_size + t;
    int mine = in[i];
    s_low[t] = mine;
    __syncthreads();
    int changed;
    do {
        const int left = t > 0 ? s_low[t - 1] : mine;
        changed = left < mine;
        mine = min(mine, left);
#ifdef REPAIRED
        __syncthreads();
#endif
        s_low[t] = mine;
    } while (__syncthreads_or(changed));
    out[i] = mine;
}

int main()
{
    const int n = block_size * blocks;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = 500 - (i * 37) % 101 - i % block_size;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    running_minimum<<<blocks, block_size>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    int low = 0;
    for (int i = 0; i < n; i++) {
        low = i % block_size == 0 ? in[i] : std::min(low, in[i]);
        if (out[i] != low) {
            fprintf(stderr, "element %d: %d instead of %d\n", i, out[i], low);
            return 1;
        }
    }
#endif
    printf("relaxed %d elements\n", n);
    return 0;
}
