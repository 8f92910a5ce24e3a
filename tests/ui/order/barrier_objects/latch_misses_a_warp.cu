// verdict: race
// race: lines 27 and 35, variable s_chunk, shared
// repaired: clean
// A latch in shared memory opens when the 32 threads of the first warp have counted down. The
// second warp stores as well, but does not count, so its stores are ordered before no wait.
// Repaired: the latch counts 64 threads.
#include <cuda/latch>
#include <cuda/std/cstddef>
#include <new>
#include <cuda_runtime.h>

using Latch = cuda::latch<cuda::thread_scope_block>;

__global__ void chunks(int* out)
{
    __shared__ alignas(Latch) unsigned char room[sizeof(Latch)];
    __shared__ int s_chunk[64];
    Latch* const latch = reinterpret_cast<Latch*>(room);
    const int t = threadIdx.x;
#ifdef REPAIRED
    if (t == 0) new (latch) Latch(64);
#else
    if (t == 0) new (latch) Latch(32);
#endif
    __syncthreads();
    if (t < 64) {
        s_chunk[t] = 3 * t;
#ifdef REPAIRED
        latch->count_down();
#else
        if (t < 32) latch->count_down();
#endif
    } else {
        latch->wait();
        out[t - 64] = s_chunk[t - 64] + s_chunk[t - 32];
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    chunks<<<1, 96>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != 3 * i + 3 * (i + 32)) return 1;
    }
#endif
    return 0;
}
