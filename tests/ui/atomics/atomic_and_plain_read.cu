// verdict: race
// race: lines 16 and 21, variable processed, global
// repaired: clean
// Counts processed elements and takes a progress sample.
// The sampling thread reads the counter plainly while others add to it atomically.
// Repaired: the sample is taken by an atomic that adds nothing.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void process(const int* in, int* out, int n, int* processed, int* sample)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = 2 * in[i];
        atomicAdd(processed, 1);
    } else if (i == n) {
#ifdef REPAIRED
        *sample = atomicAdd(processed, 0);
#else
        *sample = *processed;
#endif
    }
}

int main()
{
    const int n = 383, threads = 64, blocks = n / threads + 1;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = i;
    }
    int *d_in, *d_out, *d_processed, *d_sample;
    int processed = 0, sample = 0;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMalloc(&d_processed, sizeof(int));
    cudaMalloc(&d_sample, sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_processed, 0, sizeof(int));
    process<<<blocks, threads>>>(d_in, d_out, n, d_processed, d_sample);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&processed, d_processed, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&sample, d_sample, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_processed);
    cudaFree(d_sample);
#ifdef REPAIRED
    if (processed != n || sample < 0 || sample > n || out[n - 1] != 2 * (n - 1)) {
        fprintf(stderr, "wrong counts: %d, %d\n", processed, sample);
        return 1;
    }
#endif
    printf("processed %d elements\n", processed);
    return 0;
}
