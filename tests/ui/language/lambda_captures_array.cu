// verdict: race
// race: lines 25 and 29, variable p, shared
// repaired: clean
// A lambda captures a shared array by an initialiser, and thus its address.
// Each thread reads its neighbour's element through the lambda without a barrier.
// Repaired: a barrier comes between the writes and the reads.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int threads = 128;

template <class Function>
__device__ int twice(Function function, int i)
{
    return 2 * function(i);
}

__global__ void rotate(int* data)
{
    __shared__ int s_tile[threads];
    const int t = threadIdx.x;
    const int mine = data[blockIdx.x * threads + t];
    auto neighbour = [p = s_tile](int i) {
        return p[i];
    };
    auto store = [q = s_tile, mine](int i) {
        // A block writes each element once.
        q[i] = mine;
    };
    store(t);
#ifdef REPAIRED
    __syncthreads();
#endif
    data[blockIdx.x * threads + t] = twice(neighbour, (t + 1) % threads);
}

int main()
{
    const int blocks = 2, n = blocks * threads;
    std::vector<int> data(n);
    for (int i = 0; i < n; i++) {
        data[i] = i;
    }
    int* d_data;
    cudaMalloc(&d_data, n * sizeof(int));
    cudaMemcpy(d_data, data.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    rotate<<<blocks, threads>>>(d_data);
    cudaMemcpy(data.data(), d_data, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_data);
    bool correct = true;
    for (int i = 0; i < n; i++) {
        correct = correct && data[i] == 2 * (i / threads * threads + (i % threads + 1) % threads);
    }
#ifdef REPAIRED
    return correct ? 0 : 1;
#else
    printf("%s\n", correct ? "correct" : "wrong");
    return 0;
#endif
}
