// verdict: clean
// Block 0 publishes a table with a volatile flag, and the other blocks wait for it.
// Fences order the table and the flag.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int entries = 64;
constexpr int blocks = 3;

__global__ void publish(int* payload, volatile int* ready, int* out)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        payload[t] = t * t;
        __threadfence();
        __syncthreads();
        if (t == 0) {
            *ready = 1;
        }
        out[t] = t * t;
    } else {
        if (t == 0) {
            while (*ready == 0) {
            }
        }
        __syncthreads();
        __threadfence();
        out[blockIdx.x * entries + t] = payload[entries - 1 - t];
    }
}

int main()
{
    const int n = blocks * entries;
    std::vector<int> out(n);
    int *d_payload, *d_ready, *d_out;
    cudaMalloc(&d_payload, entries * sizeof(int));
    cudaMalloc(&d_ready, sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemset(d_ready, 0, sizeof(int));
    publish<<<blocks, entries>>>(d_payload, d_ready, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_payload);
    cudaFree(d_ready);
    cudaFree(d_out);
    for (int i = 0; i < n; i++) {
        const int entry = i < entries ? i : entries - 1 - i % entries;
        if (out[i] != entry * entry) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
    printf("published %d entries\n", entries);
    return 0;
}
