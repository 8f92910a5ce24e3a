// verdict: race
// race: lines 28 and 39, variable block_sum, global
// repaired: clean
// Inclusive prefix sum over many blocks: scan the blocks, then add the sums of earlier blocks.
// Blocks read the sums of earlier blocks in the launch that writes them.
// Repaired: the sums of earlier blocks are added by a second launch.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 64;
constexpr int blocks = 6;

__global__ void scan_blocks(const int* in, int* out, int* block_sum)
{
    __shared__ int s_scan[block_size];
    const int t = threadIdx.x;
    const int i = blockIdx.x * block_size + t;
    s_scan[t] = in[i];
    __syncthreads();
    for (int offset = 1; offset < block_size; offset *= 2) {
        const int left = t >= offset ? s_scan[t - offset] : 0;
        __syncthreads();
        s_scan[t] += left;
        __syncthreads();
    }
    if (t == block_size - 1) {
        block_sum[blockIdx.x] = s_scan[t];
    }
#ifdef REPAIRED
    out[i] = s_scan[t];
}

__global__ void add_earlier_blocks(int* out, const int* block_sum)
{
#endif
    int before = 0;
    for (unsigned int b = 0; b < blockIdx.x; b++) {
        before += block_sum[b];
    }
#ifdef REPAIRED
    out[blockIdx.x * block_size + threadIdx.x] += before;
#else
    out[i] = s_scan[t] + before;
#endif
}

int main()
{
    const int n = block_size * blocks;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = i % 7 + 1;
    }
    int *d_in, *d_out, *d_block_sum;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMalloc(&d_block_sum, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_block_sum, 0, blocks * sizeof(int));
    scan_blocks<<<blocks, block_size>>>(d_in, d_out, d_block_sum);
#ifdef REPAIRED
    add_earlier_blocks<<<blocks, block_size>>>(d_out, d_block_sum);
#endif
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_block_sum);
#ifdef REPAIRED
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += in[i];
        if (out[i] != sum) {
            fprintf(stderr, "element %d: %d instead of %d\n", i, out[i], sum);
            return 1;
        }
    }
#endif
    printf("scanned %d elements\n", n);
    return 0;
}
