// verdict: race
// race: lines 24 and 31, variable part, shared
// repaired: clean
// Lane 0 of each of two warps counts a latch down for its whole warp. What the other lanes wrote is
// not part of what lane 0 releases: they have not met. The value that the third warp reads was
// written by the second warp, on the one that the first warp wrote.
// Repaired: __syncwarp() before the latch is counted down.
#include <cstdio>
#include <new>
#include <cuda/latch>
#include <cuda_runtime.h>

using Latch = cuda::latch<cuda::thread_scope_block>;

__global__ void gather(int* out)
{
    __shared__ int part[64];
    __shared__ alignas(Latch) unsigned char room[sizeof(Latch)];
    Latch& done = *reinterpret_cast<Latch*>(room);
    const int t = threadIdx.x;
    if (t == 0) new (room) Latch(64);
    __syncthreads();
    if (t < 64) {
        part[t] = t;
#ifdef REPAIRED
        __syncwarp();
#endif
        if (t % 32 == 0) done.count_down(32);
    } else {
        done.wait();
        out[t - 64] = part[t - 64] + part[t - 32];
    }
}

int main()
{
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
    gather<<<1, 96>>>(out);
    int result[32];
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    if (result[3] != 38) return 1;
    printf("element 3: %d\n", result[3]);
    cudaFree(out);
    return 0;
}
