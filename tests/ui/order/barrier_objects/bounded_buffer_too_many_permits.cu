// verdict: race
// race: lines 29 and 34, variable slot, global
// repaired: clean
// One slot between two blocks, but the semaphore for free slots starts with two permits, so the
// consumer returns them in one go at the end. The producer's second acquire() needs no release(), and
// its store is not ordered after the first load; the relaxed counter makes it late, but orders nothing.
// Repaired: one permit for one slot; the second acquire() synchronises with the release() of the first.
#include <cuda/atomic>
#include <cuda/semaphore>
#include <cuda_runtime.h>

using Semaphore = cuda::counting_semaphore<cuda::thread_scope_device, 2>;
#ifdef REPAIRED
__device__ Semaphore free_slots(1);
#else
__device__ Semaphore free_slots(2);
#endif
__device__ Semaphore items(0);
__device__ cuda::atomic<int, cuda::thread_scope_device> taken(0);
__device__ int slot;

__global__ void one_slot(int* out)
{
    for (int i = 0; i < 2; i++) {
        if (blockIdx.x == 0) {
            while (taken.load(cuda::memory_order_relaxed) < i) {
            }
            free_slots.acquire();
            slot = 10 + i;
            items.release();
        } else {
            items.acquire();
            taken.fetch_add(1, cuda::memory_order_relaxed);
            out[i] = slot;
#ifdef REPAIRED
            free_slots.release();
#else
            if (i == 1) free_slots.release(2);
#endif
        }
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 2 * sizeof(int));
    one_slot<<<2, 1>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (out[0] != 10 || out[1] != 11) return 1;
#endif
    return 0;
}
