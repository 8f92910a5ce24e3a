// verdict: race
// race: lines 26 and 28, variable values, shared
// repaired: clean
// Threads exchange values through shared memory; a cuda::barrier of the whole block
// orders the stores before the loads; nothing orders the loads before the next round's stores.
// Repaired: a barrier comes before the next round as well.
#include <cstdio>
#include <vector>
#include <cuda/barrier>
#include <cuda_runtime.h>

constexpr int threads = 96;
constexpr int rounds = 5;

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void rotate(const int* in, int* out)
{
    __shared__ int values[threads];
    __shared__ Barrier barrier;
    const int t = threadIdx.x;
    if (t == 0) init(&barrier, blockDim.x);
    __syncthreads();
    int value = in[blockIdx.x * threads + t];
    for (int round = 0; round < rounds; round++) {
        values[t] = value;
        barrier.arrive_and_wait();
        value = values[(t + 1) % threads];
#ifdef REPAIRED
        barrier.arrive_and_wait();
#endif
    }
    out[blockIdx.x * threads + t] = value;
}

int main()
{
    const int blocks = 3, n = blocks * threads;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) in[i] = i * i;
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    rotate<<<blocks, threads>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        const int from = i / threads * threads + (i % threads + rounds) % threads;
        if (out[i] != in[from]) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
#endif
    printf("rotated %d values\n", n);
    return 0;
}
