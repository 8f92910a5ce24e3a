// verdict: race
// race: lines 26 and 37, variable s_buffer, shared
// repaired: clean
// Producer and consumer warps share one buffer with two barriers: `filled` when it has data,
// `ready` when it may be overwritten. The consumer arrives at `ready` before its loads. An
// arrival orders only what precedes it, so the loads race with the next round's stores.
// Repaired: it arrives at `ready` after the loads.
#include <cuda/barrier>
#include <cuda_runtime.h>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void stream(const int* in, int* out, int rounds)
{
    __shared__ Barrier ready, filled;
    __shared__ int s_buffer[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        init(&ready, 64);
        init(&filled, 64);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int i = 0; i < rounds; i++) {
            ready.arrive_and_wait();
            s_buffer[lane] = in[i * 32 + lane];
            (void)filled.arrive();
        }
    } else {
        int sum = 0;
        (void)ready.arrive();
        for (int i = 0; i < rounds; i++) {
            filled.arrive_and_wait();
#ifndef REPAIRED
            if (i + 1 < rounds) (void)ready.arrive();
#endif
            sum += s_buffer[31 - lane];
#ifdef REPAIRED
            if (i + 1 < rounds) (void)ready.arrive();
#endif
        }
        out[lane] = sum;
    }
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 4 * 32 * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 4 * 32; i++) in[i] = i;
    stream<<<1, 64>>>(in, out, 4);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != 32 * 6 + 4 * (31 - i)) return 1;
    }
#endif
    return 0;
}
