// verdict: clean
// Prefix sums of block counts in one launch: every block waits for its predecessor's prefix.
// Prefixes are published by fences and status words.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int threads = 64;
constexpr int blocks = 6;

// Blocks take tickets, so that a predecessor is always a block that runs already.
__global__ void chain(const int* in, int* ticket, int* status, int* prefix)
{
    __shared__ int s_part;
    if (threadIdx.x == 0) {
        s_part = atomicAdd(ticket, 1);
    }
    __syncthreads();
    const int part = s_part;
    const int count = __syncthreads_count(in[part * threads + threadIdx.x] % 2);
    if (threadIdx.x == 0) {
        int before = 0;
        if (part > 0) {
            while (atomicAdd(&status[part - 1], 0) == 0) {
            }
            __threadfence();
            before = prefix[part - 1];
        }
        prefix[part] = before + count;
        __threadfence();
        atomicExch(&status[part], 1);
    }
}

int main()
{
    const int n = blocks * threads;
    std::vector<int> in(n), prefix(blocks);
    for (int i = 0; i < n; i++) {
        in[i] = i + i / 3;
    }
    int *d_in, *d_ticket, *d_status, *d_prefix;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_ticket, sizeof(int));
    cudaMalloc(&d_status, blocks * sizeof(int));
    cudaMalloc(&d_prefix, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_ticket, 0, sizeof(int));
    cudaMemset(d_status, 0, blocks * sizeof(int));
    chain<<<blocks, threads>>>(d_in, d_ticket, d_status, d_prefix);
    cudaMemcpy(prefix.data(), d_prefix, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_ticket);
    cudaFree(d_status);
    cudaFree(d_prefix);
    int odd = 0;
    for (int i = 0; i < n; i++) {
        odd += in[i] % 2;
        if (i % threads == threads - 1 && prefix[i / threads] != odd) {
            fprintf(stderr, "part %d: %d instead of %d\n", i / threads, prefix[i / threads], odd);
            return 1;
        }
    }
    printf("%d odd numbers\n", odd);
    return 0;
}
