// verdict: race
// race: lines 19 and 21, variable inbox, global
// repaired: clean
// Each thread starts a copy of its inbox and marks the inbox as empty. An asynchronous copy reads
// its source as if another thread did, at some time before the barrier's phase ends, so it may
// fetch the mark in place of the letter.
// Repaired: the inbox is marked after the wait.
#include <cuda/barrier>
#include <cuda/std/utility>
#include <cuda_runtime.h>

__global__ void take(int* inbox, int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s_letter[32];
    const int t = threadIdx.x;
    if (t == 0) init(&bar, 32);
    __syncthreads();
    cuda::memcpy_async(&s_letter[t], &inbox[t], sizeof(int), bar);
#ifndef REPAIRED
    inbox[t] = -1;
#endif
    bar.wait(bar.arrive());
#ifdef REPAIRED
    inbox[t] = -1;
#endif
    out[t] = s_letter[t ^ 3];
}

int main()
{
    int *inbox, *out;
    cudaMallocManaged(&inbox, 32 * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 32; i++) inbox[i] = 77 + i;
    take<<<1, 32>>>(inbox, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != 77 + (i ^ 3) || inbox[i] != -1) return 1;
    }
#endif
    return 0;
}
