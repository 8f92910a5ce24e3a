// verdict: race
// race: lines 28 and 28, variable s_counts, shared
// repaired: clean
// One dynamic shared array holds a block's values and, behind them, a table of counts.
// Threads increment the same count without atomics.
// Repaired: counts are incremented atomically.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int classes = 8;

__global__ void count_classes(const int* in, int* out)
{
    extern __shared__ int s_pool[];
    int* s_values = s_pool;
    int* s_counts = s_pool + blockDim.x;
    const int t = threadIdx.x;
    s_values[t] = in[blockIdx.x * blockDim.x + t];
    if (t < classes) {
        s_counts[t] = 0;
    }
    __syncthreads();
    const int mirrored = s_values[blockDim.x - 1 - t];
#ifdef REPAIRED
    atomicAdd(&s_counts[mirrored % classes], 1);
#else
    s_counts[mirrored % classes] += 1;
#endif
    __syncthreads();
    if (t < classes) {
        out[blockIdx.x * classes + t] = s_counts[t];
    }
}

int main()
{
    const int blocks = 4, threads = 128, n = blocks * threads;
    std::vector<int> in(n), out(blocks * classes), expected(blocks * classes);
    for (int i = 0; i < n; i++) {
        in[i] = i * 3 + i / 10;
        expected[i / threads * classes + in[i] % classes]++;
    }
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, out.size() * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    const size_t shared_bytes = (threads + classes) * sizeof(int);
    count_classes<<<blocks, threads, shared_bytes>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    if (out != expected) {
        fprintf(stderr, "wrong counts\n");
        return 1;
    }
#endif
    printf("counted %d values\n", n);
    return 0;
}
