// verdict: race
// race: lines 28 and 39, variable s_slot, shared
// repaired: clean
// A bounded buffer of two slots with two semaphores. The consumer gives the slot back before it
// has read it. The producer's acquire() then synchronises with a release() that precedes the
// load, so the next store to the slot races with that load.
// Repaired: the slot is given back after the load.
#include <cuda/semaphore>
#include <new>
#include <cuda_runtime.h>

using Semaphore = cuda::counting_semaphore<cuda::thread_scope_block, 2>;

__global__ void queue(int* out, int items)
{
    __shared__ alignas(Semaphore) unsigned char room[2 * sizeof(Semaphore)];
    __shared__ int s_slot[2];
    Semaphore* const empty = reinterpret_cast<Semaphore*>(room);
    Semaphore* const full = empty + 1;
    if (threadIdx.x == 0) {
        new (empty) Semaphore(2);
        new (full) Semaphore(0);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < items; i++) {
            empty->acquire();
            s_slot[i % 2] = i + 50;
            full->release();
        }
    } else if (threadIdx.x == 32) {
        for (int i = 0; i < items; i++) {
            full->acquire();
#ifdef REPAIRED
            out[i] = s_slot[i % 2];
            empty->release();
#else
            empty->release();
            out[i] = s_slot[i % 2];
#endif
        }
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 7 * sizeof(int));
    queue<<<1, 64>>>(out, 7);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 7; i++) {
        if (out[i] != i + 50) return 1;
    }
#endif
    return 0;
}
