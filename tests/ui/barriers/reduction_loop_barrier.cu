// verdict: race
// race: lines 23 and 23, variable s_max, shared
// repaired: clean
// Block-wide maximum by a tree of shrinking width.
// No barrier ends a step, so the next step may read a slot before it is updated.
// Repaired: a barrier ends every step of the tree.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 128;
constexpr int blocks = 6;

static __global__ void block_max(const int* in, int* out)
{
    __shared__ int s_max[block_size];
    const int t = threadIdx.x;
    s_max[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int stride = block_size / 2; stride > 0; stride >>= 1) {
        if (t < stride) {
            s_max[t] = max(s_max[t], s_max[t + stride]);
        }
#ifdef REPAIRED
        __syncthreads();
#endif
    }
    if (t == 0) {
        out[blockIdx.x] = s_max[0];
    }
}

int main()
{
    const int n = block_size * blocks;
    std::vector<int> in(n), out(blocks);
    for (int i = 0; i < n; i++) {
        in[i] = (i * 7919) % 10007;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    block_max<<<blocks, block_size>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int b = 0; b < blocks; b++) {
        const int* first = in.data() + b * block_size;
        if (out[b] != *std::max_element(first, first + block_size)) {
            fprintf(stderr, "block %d: wrong maximum %d\n", b, out[b]);
            return 1;
        }
    }
#endif
    printf("%d maxima\n", blocks);
    return 0;
}
