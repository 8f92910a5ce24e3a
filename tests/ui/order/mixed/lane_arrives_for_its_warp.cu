// verdict: race
// race: lines 18 and 25, variable s_half, shared
// repaired: clean
// One lane per warp arrives at a barrier object for the whole warp. Its arrival covers what the
// other lanes have stored only if these stores are ordered before it; lanes of a warp do not run
// in lockstep, and the shuffle before the arrival orders no memory.
// Repaired: __syncwarp() before the elected lane arrives.
#include <cuda/barrier>
#include <cuda_runtime.h>

__global__ void swap_halves(const int* in, int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s_half[64];
    const int t = threadIdx.x;
    if (t == 0) init(&bar, 2);
    __syncthreads();
    s_half[t] = in[t];
    const int bias = __shfl_sync(0xffffffffu, in[t], 31);
#ifdef REPAIRED
    __syncwarp();
#endif
    if (t % 32 == 0) bar.arrive_and_wait();
    __syncwarp();
    out[t] = s_half[t ^ 32] + bias;
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) in[i] = 3 * i;
    swap_halves<<<1, 64>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (out[i] != 3 * (i ^ 32) + 3 * (i | 31)) return 1;
    }
#endif
    return 0;
}
