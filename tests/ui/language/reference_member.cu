// verdict: race
// race: lines 34 and 41, variable view, shared
// repaired: clean
// A local object whose members are references to shared memory.
// The total is read through the object without a barrier after it is written.
// Repaired: a barrier separates the write of the total from its reads, all through the object.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int threads = 128;

struct Scratch {
    float partial[threads];
    float total;
};

struct View {
    Scratch& scratch;
    float (&partial)[threads];
};

__global__ void block_sums(const float* input, float* sums)
{
    __shared__ Scratch s_scratch;
    View view{s_scratch, s_scratch.partial};
    view.partial[threadIdx.x] = input[blockIdx.x * threads + threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0;
        for (int i = 0; i < threads; i++) {
            total += view.scratch.partial[i];
        }
        view.scratch.total = total;
    }
#ifdef REPAIRED
    __syncthreads();
#else
    __syncwarp();
#endif
    const float share = view.scratch.total / threads;
    atomicAdd(&sums[blockIdx.x], share);
}

int main()
{
    const int blocks = 2, n = blocks * threads;
    std::vector<float> input(n, 1.0f), sums(blocks);
    float *d_input, *d_sums;
    cudaMalloc(&d_input, n * sizeof(float));
    cudaMalloc(&d_sums, blocks * sizeof(float));
    cudaMemcpy(d_input, input.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(d_sums, 0, blocks * sizeof(float));
    block_sums<<<blocks, threads>>>(d_input, d_sums);
    cudaMemcpy(sums.data(), d_sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_input);
    cudaFree(d_sums);
    printf("sum of the first block: %.0f\n", sums[0]);
    return 0;
}
