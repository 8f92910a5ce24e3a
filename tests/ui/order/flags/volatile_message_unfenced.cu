// verdict: race
// race: lines 19 and 40, variable message, global
// repaired: clean
// Block 0 writes a message of one element per thread, and its first thread sets a flag. The other blocks poll
// the flag and add what they read. There is no fence on either side, nor a barrier before the flag is set.
// Repaired: a barrier and a fence before the flag is set, and a fence after it is read.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 64, readers = 2;
__device__ int message[threads];
__device__ int is_sent;

__global__ void broadcast(const int* in, int* out)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        const int value = in[t] * in[t];
        message[t] = value;
#ifdef REPAIRED
        __syncthreads();
#endif
        if (t == 0) {
#ifdef REPAIRED
            __threadfence();
#endif
            *(volatile int*)&is_sent = 1;
        }
        return;
    }
    const int reader = blockIdx.x - 1;
    if (t == 0) {
        while (*(volatile int*)&is_sent == 0) {
        }
#ifdef REPAIRED
        __threadfence();
#endif
    }
    __syncthreads();
    out[reader * threads + t] = message[threads - 1 - t] + reader;
}

int main()
{
    int values[threads], sums[readers * threads];
    for (int i = 0; i < threads; ++i) values[i] = i + 1;
    int *in, *out;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof sums);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    broadcast<<<1 + readers, threads>>>(in, out);
    cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost);
#ifdef REPAIRED
    for (int i = 0; i < readers * threads; ++i) {
        const int value = values[threads - 1 - i % threads];
        if (sums[i] != value * value + i / threads) return 1;
    }
#endif
    printf("%d\n", sums[0]);
    return 0;
}
