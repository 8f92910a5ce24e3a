// verdict: race
// race: lines 21 and 21, variable state, global
// repaired: clean
// Estimates pi from the points that a linear congruential generator throws into a square.
// Pairs of threads share one generator.
// Repaired: every thread has its own generator, and hits are summed atomically.
#include <cmath>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#ifdef REPAIRED
constexpr int sharing = 1;
#else
constexpr int sharing = 2;
#endif
constexpr int throws = 100;

__device__ unsigned int next_random(unsigned int* state, int generator)
{
    return state[generator] = state[generator] * 1664525u + 1013904223u;
}

__global__ void throw_darts(unsigned int* state, unsigned int* hits)
{
    const int generator = (blockIdx.x * blockDim.x + threadIdx.x) / sharing;
    unsigned int inside = 0;
    for (int k = 0; k < throws; k++) {
        const float x = (next_random(state, generator) >> 8) * (1.0f / 16777216.0f);
        const float y = (next_random(state, generator) >> 8) * (1.0f / 16777216.0f);
        inside += x * x + y * y < 1.0f;
    }
    atomicAdd(hits, inside);
}

int main()
{
    const int blocks = 4, threads = 128, n = blocks * threads;
    std::vector<unsigned int> state(n);
    unsigned int hits = 0;
    for (int i = 0; i < n; i++) {
        state[i] = 12345u + 2654435761u * i;
    }
    unsigned int *d_state, *d_hits;
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMalloc(&d_state, n * sizeof(unsigned int));
    cudaMalloc(&d_hits, sizeof(unsigned int));
    cudaMemcpy(d_state, state.data(), n * sizeof(unsigned int), cudaMemcpyHostToDevice);
    cudaMemset(d_hits, 0, sizeof(unsigned int));
    cudaEventRecord(start);
    throw_darts<<<blocks, threads>>>(d_state, d_hits);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float milliseconds = 0.0f;
    cudaEventElapsedTime(&milliseconds, start, stop);
    cudaMemcpy(&hits, d_hits, sizeof(unsigned int), cudaMemcpyDeviceToHost);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(d_state);
    cudaFree(d_hits);
#ifdef REPAIRED
    const double pi = 4.0 * hits / (n * throws);
    if (std::fabs(pi - 3.14159) > 0.05 || milliseconds < 0.0f) {
        fprintf(stderr, "pi is not %f\n", pi);
        return 1;
    }
#endif
    printf("threw %d darts\n", n * throws);
    return 0;
}
