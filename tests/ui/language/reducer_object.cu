// verdict: race
// race: lines 22 and 29, variable storage, shared
// repaired: clean
// A reduction object is constructed from its shared storage, and keeps a reference to it.
// Threads add up the partial sums before all of them are written.
// Repaired: the constructor does not read the storage, which is filled before a barrier.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int threads = 128;

template <typename T>
struct Reducer {
    struct Storage { T partial[threads]; };
    Storage& storage;

    __device__ explicit Reducer(Storage& shared) : storage(shared) {}

    __device__ void put(T value)
    {
        storage.partial[threadIdx.x] = value;
    }

    __device__ T sum() const
    {
        T total = 0;
        for (int i = 0; i < threads; i++) {
            total += storage.partial[i];
        }
        return total;
    }
};

template <typename T> using Sum = Reducer<T>;

__global__ void block_sums(const float* input, float* sums)
{
    __shared__ Reducer<float>::Storage s_storage;
    Sum<float> reducer(s_storage);
    reducer.put(input[blockIdx.x * threads + threadIdx.x]);
#ifdef REPAIRED
    __syncthreads();
#endif
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = reducer.sum();
    }
}

int main()
{
    const int blocks = 2, n = blocks * threads;
    std::vector<float> input(n, 1.0f), sums(blocks);
    float *d_input, *d_sums;
    cudaMalloc(&d_input, n * sizeof(float));
    cudaMalloc(&d_sums, blocks * sizeof(float));
    cudaMemcpy(d_input, input.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    block_sums<<<blocks, threads>>>(d_input, d_sums);
    cudaMemcpy(sums.data(), d_sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_input);
    cudaFree(d_sums);
    printf("sum of the first block: %.0f\n", sums[0]);
    return 0;
}
