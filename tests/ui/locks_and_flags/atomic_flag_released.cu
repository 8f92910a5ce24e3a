// verdict: clean
// Block 0 publishes a table with a cuda::atomic flag, which the other blocks wait for.
// The release and the acquire order the table.
#include <cstdio>
#include <vector>
#include <cuda/atomic>
#include <cuda_runtime.h>

using Flag = cuda::atomic<int, cuda::thread_scope_device>;
constexpr int entries = 64;
constexpr int blocks = 3;

__global__ void publish(int* payload, Flag* ready, int* out)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        payload[t] = t * t;
        __syncthreads();
        if (t == 0) ready->store(1, cuda::memory_order_release);
        out[t] = t * t;
    } else {
        if (t == 0)
            while (ready->load(cuda::memory_order_acquire) == 0) {}
        __syncthreads();
        out[blockIdx.x * entries + t] = payload[t];
    }
}

int main()
{
    const int n = blocks * entries;
    std::vector<int> out(n);
    int *d_payload, *d_out;
    Flag* d_ready;
    cudaMalloc(&d_payload, entries * sizeof(int));
    cudaMalloc(&d_ready, sizeof(Flag));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemset(d_ready, 0, sizeof(Flag));
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
