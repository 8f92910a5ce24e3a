// verdict: clean
// Block 0 publishes a table with a flag, which the other blocks wait for.
// The release and the acquire, in inline PTX, order the table.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int entries = 64;
constexpr int blocks = 3;

__global__ void publish(int* payload, int* ready, int* out)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        payload[t] = t * t;
        __syncthreads();
        if (t == 0) asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(ready), "r"(1) : "memory");
        out[t] = t * t;
    } else {
        int seen = t;
        if (t == 0) {
            do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(ready) : "memory");
            while (seen == 0);
        }
        __syncthreads();
        out[blockIdx.x * entries + t] = payload[t];
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
        if (out[i] != (i % entries) * (i % entries)) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
    printf("published %d entries\n", entries);
    return 0;
}
