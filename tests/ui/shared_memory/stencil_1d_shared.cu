// verdict: race
// race: lines 23 and 32, variable s_cells, shared
// race: lines 25 and 32, variable s_cells, shared
// race: lines 26 and 32, variable s_cells, shared
// repaired: clean
// Three-point stencil: each block stages its part of the line, with a halo, in shared memory.
// The neighbours' slots are read without a barrier after staging.
// Repaired: a barrier follows the staging.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 64;
constexpr int blocks = 8;
constexpr int n = block_size * blocks;

// `in` has n + 2 elements: one more at each end.
__global__ void smooth(const int* in, int* out)
{
    __shared__ int s_cells[block_size + 2];
    const int t = threadIdx.x;
    const int i = blockIdx.x * block_size + t;
    s_cells[t + 1] = in[i + 1];
    if (t == block_size / 2) {
        s_cells[0] = in[i - t];
        s_cells[block_size + 1] = in[i - t + block_size + 1];
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    const int middle = in[i + 1];
    out[i] = s_cells[t] + 2 * middle + s_cells[t + 2];
}

int main()
{
    std::vector<int> in(n + 2), out(n);
    for (int i = 0; i < n + 2; i++) {
        in[i] = (i * i) % 31;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, in.size() * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), in.size() * sizeof(int), cudaMemcpyHostToDevice);
    smooth<<<blocks, block_size>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        const int expected = in[i] + 2 * in[i + 1] + in[i + 2];
        if (out[i] != expected) {
            fprintf(stderr, "element %d: %d instead of %d\n", i, out[i], expected);
            return 1;
        }
    }
#endif
    printf("smoothed %d cells\n", n);
    return 0;
}
