// verdict: race
// race: lines 16 and 27, variable level, global
// repaired: clean
// Quantises samples to 16 bits and takes differences of neighbouring levels.
// The right neighbour's level is read in the launch that stores it.
// Repaired: the levels are stored by one launch and read by the next.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void quantise(const float* sample, short* level, short* step, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const short mine = static_cast<short>(sample[i] * 100.0f);
        level[i] = mine;
#ifdef REPAIRED
    }
}

__global__ void differences(const short* level, short* step, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        step[i] = i + 1 < n ? level[i + 1] - level[i] : 0;
#else
        step[i] = i + 1 < n ? level[i + 1] - mine : 0;
#endif
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
#ifdef REPAIRED
    differences<<<blocks, threads>>>(d_level, d_step, n);
#endif
    cudaMemcpy(step.data(), d_step, n * sizeof(short), cudaMemcpyDeviceToHost);
    cudaFree(d_sample);
    cudaFree(d_level);
    cudaFree(d_step);
#ifdef REPAIRED
    for (int i = 0; i + 1 < n; i++) {
        if (step[i] != 25 * ((i + 1) % 41 - i % 41)) {
            fprintf(stderr, "wrong step %d: %d\n", i, step[i]);
            return 1;
        }
    }
#endif
    printf("quantised %d samples\n", n);
    return 0;
}
