// verdict: race
// race: lines 17 and 25, variable limits, global
// repaired: clean
// One thread of each block counts a device-wide latch down for its block, after a __syncthreads(), and
// waits for it. Only that thread has acquired the other blocks' stores; the racy form has only a
// __syncwarp() behind it, which does not reach the block's second warp.
// Repaired: __syncthreads().
#include <cuda/latch>
#include <cuda_runtime.h>
#include <new>

using Latch = cuda::latch<cuda::thread_scope_device>;

__global__ void normalise(Latch* all_blocks, const int* in, int* limits, int* out)
{
    const int b = blockIdx.x, t = threadIdx.x;
    limits[b * 64 + t] = in[b * 64 + t] % 50;
    __syncthreads();
    if (t == 0) all_blocks->arrive_and_wait();
#ifdef REPAIRED
    __syncthreads();
#else
    __syncwarp();
#endif
    out[b * 64 + t] = limits[(b * 64 + t + 64) % 192];
}

int main()
{
    Latch* all_blocks;
    cudaMallocManaged(&all_blocks, sizeof *all_blocks);
    new (all_blocks) Latch(3);
    int *in, *limits, *out;
    cudaMallocManaged(&in, 192 * sizeof(int));
    cudaMallocManaged(&limits, 192 * sizeof(int));
    cudaMallocManaged(&out, 192 * sizeof(int));
    for (int i = 0; i < 192; i++) in[i] = i;
    normalise<<<3, 64>>>(all_blocks, in, limits, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 192; i++) {
        if (out[i] != (i + 64) % 192 % 50) return 1;
    }
#endif
    return 0;
}
