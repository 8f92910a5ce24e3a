// verdict: race
// race: lines 22 and 25, variable s_scan, shared
// Inclusive prefix sum of each block by doubling offsets (Hillis and Steele), one buffer.
// The barrier at the end of a step is missing: the next step reads what this one still adds.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 128;
constexpr int blocks = 4;

__global__ void inclusive_scan(const int* in, int* out)
{
    __shared__ int s_scan[block_size];
    const int t = threadIdx.x;
    const int i = blockIdx.x * block_size + t;
    s_scan[t] = in[i];
    __syncthreads();
    for (int offset = 1; offset < block_size; offset *= 2) {
        int left = 0;
        if (t >= offset) {
            left = s_scan[t - offset];
        }
        __syncthreads();
        s_scan[t] += left;
    }
    out[i] = s_scan[t];
}

int main()
{
    const int n = block_size * blocks;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = (i * 5) % 9;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    inclusive_scan<<<blocks, block_size>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    printf("scanned %d elements\n", n);
    return 0;
}
