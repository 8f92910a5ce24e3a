// verdict: race
// race: lines 24 and 27, variable s_scan, shared
// repaired: clean
// Inclusive prefix sum of each block by doubling offsets (Hillis and Steele), one buffer.
// The barrier at the end of a step is missing: the next step reads what this one still adds.
// Repaired: two barriers a step: reads before writes, and writes before the next step's reads.
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
#ifdef REPAIRED
        __syncthreads();
#endif
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
#ifdef REPAIRED
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum = i % block_size == 0 ? in[i] : sum + in[i];
        if (out[i] != sum) {
            fprintf(stderr, "element %d: %d instead of %d\n", i, out[i], sum);
            return 1;
        }
    }
#endif
    printf("scanned %d elements\n", n);
    return 0;
}
