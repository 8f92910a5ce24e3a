// verdict: clean
// Block 0 produces values and the other blocks poll a volatile mailbox for them.
// The value itself travels in the volatile mailbox, so no second access needs an order.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int lanes = 64;
constexpr int blocks = 3;

__global__ void broadcast(volatile int* mailbox, int* out)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        mailbox[t] = 100 + t;
        out[t] = 100 + t;
    } else {
        int received;
        do {
            received = mailbox[t];
        } while (received == 0);
        out[blockIdx.x * lanes + t] = received;
    }
}

int main()
{
    const int n = blocks * lanes;
    std::vector<int> out(n);
    int *d_mailbox, *d_out;
    cudaMalloc(&d_mailbox, lanes * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemset(d_mailbox, 0, lanes * sizeof(int));
    broadcast<<<blocks, lanes>>>(d_mailbox, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_mailbox);
    cudaFree(d_out);
    for (int i = 0; i < n; i++) {
        if (out[i] != 100 + i % lanes) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
    printf("%d values received\n", n);
    return 0;
}
