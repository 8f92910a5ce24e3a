// verdict: race
// race: lines 20 and 24, variable values, global
// repaired: clean
// A block averages neighbours in place through pointers with a cache hint, which order nothing.
// Each thread reads its neighbour's value, which the neighbour replaces.
// Repaired: a barrier comes between the reads and the writes.
#include <cstdio>
#include <vector>
#include <cuda/annotated_ptr>
#include <cuda_runtime.h>

constexpr int threads = 64;
using Values = cuda::annotated_ptr<int, cuda::access_property::persisting>;

__global__ void average(int* data)
{
    Values values(data + blockIdx.x * threads);
    const int t = threadIdx.x;
    const int next = (t + 1) % threads;
    const int other = values[next];
#ifdef REPAIRED
    __syncthreads();
#endif
    values[t] = other + 1;
}

int main()
{
    const int blocks = 2, n = blocks * threads;
    std::vector<int> data(n);
    for (int i = 0; i < n; i++) {
        data[i] = 2 * i;
    }
    int* d_data;
    cudaMalloc(&d_data, n * sizeof(int));
    cudaMemcpy(d_data, data.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    average<<<blocks, threads>>>(d_data);
    cudaMemcpy(data.data(), d_data, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_data);
    bool correct = true;
    for (int i = 0; i < n; i++) {
        correct = correct && data[i] == 2 * (i / threads * threads + (i + 1) % threads) + 1;
    }
#ifdef REPAIRED
    return correct ? 0 : 1;
#else
    printf("%s\n", correct ? "correct" : "wrong");
    return 0;
#endif
}
