// verdict: race
// race: lines 22 and 28, variable s_tally, shared
// repaired: clean
// A barrier object may belong to a part of the block: here it expects the 64 threads of two
// warps. The third warp sums up their tallies too, although it never takes part.
// Repaired: the barrier expects all 96 threads, and the third warp waits at it.
#include <cuda/barrier>
#include <cuda_runtime.h>

__global__ void tally(const int* in, int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s_tally[64];
    const int t = threadIdx.x;
#ifdef REPAIRED
    if (t == 0) init(&bar, 96);
#else
    if (t == 0) init(&bar, 64);
#endif
    __syncthreads();
    if (t < 64) {
        s_tally[t] = in[t] % 3;
        (void)bar.arrive();
    } else {
#ifdef REPAIRED
        bar.arrive_and_wait();
#endif
        out[t - 64] = s_tally[t - 64] + s_tally[t - 32];
    }
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 32 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = 5 * i;
    tally<<<1, 96>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != 5 * i % 3 + 5 * (i + 32) % 3) return 1;
    }
#endif
    return 0;
}
