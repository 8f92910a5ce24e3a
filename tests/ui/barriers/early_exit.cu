// verdict: race
// race: lines 22 and 26, variable s_weight, shared
// repaired: warning
// Threads past the end of the data leave at once; the others share weights.
// The remaining threads read a neighbour's weight without a barrier.
// Repaired: the barrier is for the threads that remain; those that left do not hold it up.
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
#ifdef REPAIRED
    __syncthreads();
#endif
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
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        const int first = i / block_size * block_size;
        const int present = n - first < block_size ? n - first : block_size;
        if (out[i] != 3 * in[first + (i - first + 1) % present]) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
#endif
    printf("weighed %d elements\n", n);
    return 0;
}
