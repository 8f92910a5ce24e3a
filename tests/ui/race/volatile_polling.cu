// verdict: race
// race: lines 16 and 24, variable payload, global
// Block 0 produces values and the other blocks poll a volatile mailbox for them.
// The flag is volatile, but the payload it announces is plain, and nothing orders the two.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int lanes = 64;
constexpr int blocks = 3;

__global__ void broadcast(volatile int* mailbox, int* payload, int* out)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        payload[t] = 100 + t;
        mailbox[t] = 1;
        out[t] = 100 + t;
    } else {
        int received;
        do {
            received = mailbox[t];
        } while (received == 0);
        received = payload[t];
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
    int* d_payload;
    cudaMalloc(&d_payload, lanes * sizeof(int));
    broadcast<<<blocks, lanes>>>(d_mailbox, d_payload, d_out);
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_mailbox);
    cudaFree(d_out);
    cudaFree(d_payload);
    printf("%d values received\n", n);
    return 0;
}
