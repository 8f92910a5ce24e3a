// verdict: race
// race: lines 18 and 27, variable payload, global
// repaired: clean
// A writer raises a flag by atomicExch(), a reader polls it by atomicAdd(..., 0).
// The writer's only fence comes before the payload, so the release pattern that starts at the fence
// publishes what precedes it, not the payload.
// Repaired: the fence is between payload and flag. atomicExch() and atomicAdd() are relaxed, of
// device scope, and the fence on each side makes them release and acquire.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void send(double* payload, int* flag, double* received)
{
    if (blockIdx.x == 0) {
#ifndef REPAIRED
        __threadfence();
#endif
        *payload = 2.5;
#ifdef REPAIRED
        __threadfence();
#endif
        atomicExch(flag, 1);
    } else {
        while (atomicAdd(flag, 0) != 1) {
        }
        __threadfence();
        received[blockIdx.x] = *payload;
    }
}

int main()
{
    double *payload, *received, result[5];
    int* flag;
    cudaMalloc(&payload, sizeof(double));
    cudaMalloc(&received, sizeof result);
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    send<<<5, 1>>>(payload, flag, received);
    cudaMemcpy(result, received, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(payload);
    cudaFree(received);
    cudaFree(flag);
    for (int b = 1; b < 5; b++) {
        if (result[b] != 2.5) return 1;
    }
    printf("received\n");
    return 0;
}
