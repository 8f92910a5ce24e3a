// verdict: race
// race: lines 26 and 31, variable s_level, shared
// repaired: clean
// In each round one half of the threads drops out of the barrier by arrive_and_drop(). That
// orders what a thread has done before; the dropping threads of the racy form store their result
// after they have arrived, when those that go on may be reading it.
// Repaired: they store it first.
#include <cuda/barrier>
#include <cuda_runtime.h>

__global__ void tournament(const int* in, int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s_level[64];
    const int t = threadIdx.x;
    if (t == 0) init(&bar, 64);
    __syncthreads();
    int best = in[t];
    for (int active = 32; active > 0; active /= 2) {
        if (t >= active) {
#ifdef REPAIRED
            s_level[t] = best;
#endif
            bar.arrive_and_drop();
#ifndef REPAIRED
            s_level[t] = best;
#endif
            return;
        }
        bar.arrive_and_wait();
        best = max(best, s_level[t + active]);
    }
    *out = best;
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = i * 37 % 64 + 1;
    tournament<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (*out != 64) return 1;
#endif
    return 0;
}
