// verdict: race
// race: lines 23 and 32, variable s_job, shared
// repaired: clean
// Lane 0 of the first warp releases one permit per job to the second warp, each of whose lanes
// acquires one. A release covers what lane 0 did or what was ordered before it; the jobs are
// stored by all lanes, and __ballot_sync() does not order them.
// Repaired: __syncwarp() in place of the ballot.
#include <cuda/semaphore>
#include <new>
#include <cuda_runtime.h>

using Semaphore = cuda::counting_semaphore<cuda::thread_scope_block, 32>;

__global__ void jobs(int* out)
{
    __shared__ alignas(Semaphore) unsigned char room[sizeof(Semaphore)];
    __shared__ int s_job[32];
    Semaphore* const ready = reinterpret_cast<Semaphore*>(room);
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) new (ready) Semaphore(0);
    __syncthreads();
    if (threadIdx.x < 32) {
        if (lane != 0) s_job[lane] = 4 * lane;
#ifdef REPAIRED
        __syncwarp();
#else
        __ballot_sync(0xffffffffu, lane > 3);
#endif
        if (lane == 0) ready->release(32);
    } else {
        ready->acquire();
        if (lane != 31) out[lane] = s_job[31 - lane];
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    jobs<<<1, 64>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 31; i++) {
        if (out[i] != 4 * (31 - i)) return 1;
    }
#endif
    return 0;
}
