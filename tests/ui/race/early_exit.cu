// verdict: race
// race: lines 20 and 21, variable s_weight, shared
// Threads past the end of the data leave at once; the others share weights.
// The remaining threads read a neighbour's weight without a barrier.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int block_size = 128;

__global__ void weigh(const int* in, int* out, int n)
{
    __shared__ int s_weight[block_size];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    const int first = i - threadIdx.x;
    const int present = min(n - first, block_size);
    s_weight[threadIdx.x] = 3 * in[i];
    out[i] = s_weight[(threadIdx.x + 1) % present];
}

int main()
{
    const int n = 300;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) {
        in[i] = i ^ 21;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    weigh<<<(n + block_size - 1) / block_size, block_size>>>(d_in, d_out, n);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    printf("weighed %d elements\n", n);
    return 0;
}
