// verdict: race
// race: lines 24 and 32, variable s_best, shared
// race: lines 27 and 32, variable s_best, shared
// repaired: clean
// Two threads of another warp each write a field of a structure, and every thread copies the whole structure.
// No barrier comes between the writes and the copies, so the copy races with both writes.
// Repaired: a barrier comes between them.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int threads = 64;

struct Best {
    float value;
    int place;
};

__global__ void choose(const float* values, float* out, int* places)
{
    __shared__ Best s_best;
    const int t = threadIdx.x;
    if (t == 32) {
        s_best.value = values[blockIdx.x];
    }
    if (t == 33) {
        s_best.place = 3 * blockIdx.x;
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    const Best best = s_best;
    out[blockIdx.x * threads + t] = best.value;
    places[blockIdx.x * threads + t] = best.place;
}

int main()
{
    const int blocks = 2, n = blocks * threads;
    std::vector<float> values = {1.5f, 2.5f}, out(n);
    std::vector<int> places(n);
    float *d_values, *d_out;
    int* d_places;
    cudaMalloc(&d_values, blocks * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMalloc(&d_places, n * sizeof(int));
    cudaMemcpy(d_values, values.data(), blocks * sizeof(float), cudaMemcpyHostToDevice);
    choose<<<blocks, threads>>>(d_values, d_out, d_places);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(places.data(), d_places, n * sizeof(int), cudaMemcpyDeviceToHost);
    bool correct = true;
    for (int i = 0; i < n; i++) {
        correct = correct && out[i] == values[i / threads] && places[i] == 3 * (i / threads);
    }
    cudaFree(d_values);
    cudaFree(d_out);
    cudaFree(d_places);
#ifdef REPAIRED
    return correct ? 0 : 1;
#else
    printf("%s\n", correct ? "correct" : "wrong");
    return 0;
#endif
}
