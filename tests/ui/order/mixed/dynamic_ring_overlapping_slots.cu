// verdict: race
// race: lines 34 and 34, variable ring, shared
// race: lines 34 and 38, variable ring, shared
// repaired: clean
// A ring of two slots in dynamic shared memory, with a pair of barriers for each slot. The slots
// are 31 elements apart but 32 long: the last element of slot 0 is the first one of slot 1, and
// the barriers of one slot do not order it against the use of the other slot.
// Repaired: slots are 32 elements apart.
#include <cuda/barrier>
#include <cuda_runtime.h>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
#ifdef REPAIRED
constexpr int stride = 32;
#else
constexpr int stride = 31;
#endif

__global__ void through_ring(int* out, int items)
{
    extern __shared__ int ring[];
    __shared__ Barrier full[2], empty[2];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 2) {
        init(&full[threadIdx.x], 32);
        init(&empty[threadIdx.x], 32);
    }
    __syncthreads();
    for (int i = 0; i < items; i++) {
        const int slot = i % 2;
        const bool parity = i / 2 % 2 != 0;
        if (threadIdx.x < 32) {
            empty[slot].wait_parity(!parity);
            ring[slot * stride + lane] = 1000 * i + lane;
            (void)full[slot].arrive();
        } else {
            full[slot].wait_parity(parity);
            out[i * 32 + lane] = ring[slot * stride + (lane + 5) % 32];
            (void)empty[slot].arrive();
        }
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 6 * 32 * sizeof(int));
    through_ring<<<1, 64, 2 * 32 * sizeof(int)>>>(out, 6);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 6 * 32; i++) {
        if (out[i] != 1000 * (i / 32) + (i % 32 + 5) % 32) return 1;
    }
#endif
    return 0;
}
