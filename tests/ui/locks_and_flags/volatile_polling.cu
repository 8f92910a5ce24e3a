// verdict: race
// race: lines 25 and 35, variable payload, global
// repaired: clean
// Block 0 produces values and the other blocks poll a volatile mailbox for them.
// The flag is volatile, but the payload it announces is plain, and nothing orders the two.
// Repaired: the value itself travels in the volatile mailbox, so no second access needs an order.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int lanes = 64;
constexpr int blocks = 3;

#ifdef REPAIRED
__global__ void broadcast(volatile int* mailbox, int* out)
#else
__global__ void broadcast(volatile int* mailbox, int* payload, int* out)
#endif
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
#ifdef REPAIRED
        mailbox[t] = 100 + t;
#else
        payload[t] = 100 + t;
        mailbox[t] = 1;
#endif
        out[t] = 100 + t;
    } else {
        int received;
        do {
            received = mailbox[t];
        } while (received == 0);
#ifndef REPAIRED
        received = payload[t];
#endif
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
#ifdef REPAIRED
    broadcast<<<blocks, lanes>>>(d_mailbox, d_out);
#else
    int* d_payload;
    cudaMalloc(&d_payload, lanes * sizeof(int));
    broadcast<<<blocks, lanes>>>(d_mailbox, d_payload, d_out);
#endif
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_mailbox);
    cudaFree(d_out);
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (out[i] != 100 + i % lanes) {
            fprintf(stderr, "wrong element %d\n", i);
            return 1;
        }
    }
#else
    cudaFree(d_payload);
#endif
    printf("%d values received\n", n);
    return 0;
}
