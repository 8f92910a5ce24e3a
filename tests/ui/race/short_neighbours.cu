// verdict: race
// race: lines 14 and 15, variable level, global
// Quantises samples to 16 bits and takes differences of neighbouring levels.
// The right neighbour's level is read in the launch that stores it.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void quantise(const float* sample, short* level, short* step, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const short mine = static_cast<short>(sample[i] * 100.0f);
        level[i] = mine;
        step[i] = i + 1 < n ? level[i + 1] - mine : 0;
    }
}

int main()
{
    const int n = 700, threads = 128, blocks = (n + threads - 1) / threads;
    std::vector<float> sample(n);
    std::vector<short> step(n);
    for (int i = 0; i < n; i++) {
        sample[i] = 0.25f * (i % 41);
    }
    float* d_sample;
    short *d_level, *d_step;
    cudaMalloc(&d_sample, n * sizeof(float));
    cudaMalloc(&d_level, n * sizeof(short));
    cudaMalloc(&d_step, n * sizeof(short));
    cudaMemcpy(d_sample, sample.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    quantise<<<blocks, threads>>>(d_sample, d_level, d_step, n);
    cudaMemcpy(step.data(), d_step, n * sizeof(short), cudaMemcpyDeviceToHost);
    cudaFree(d_sample);
    cudaFree(d_level);
    cudaFree(d_step);
    printf("quantised %d samples\n", n);
    return 0;
}
