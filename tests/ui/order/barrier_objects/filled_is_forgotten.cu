// verdict: race
// race: lines 24 and 33, variable s_stage, shared
// repaired: clean
// As in the guide's producer and consumer there are two barriers, but the consumer only uses
// `ready`, which tells the producer that the buffer is free. Nothing tells the consumer that it
// is full: `ready` orders the consumer's loads before later stores, not stores before loads.
// Repaired: the consumer also arrives and waits at `filled`.
#include <cuda/barrier>
#include <cuda_runtime.h>

__global__ void pairs(int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> ready, filled;
    __shared__ int s_stage[2];
    const bool produces = threadIdx.x < 32;
    if (threadIdx.x == 63) {
        init(&ready, 2);
        init(&filled, 2);
    }
    __syncthreads();
    if (threadIdx.x % 32 != 0) return;
    for (int i = 0; i < 3; i++) {
        if (produces) {
            s_stage[0] = 2 * i;
#ifdef REPAIRED
            (void)filled.arrive();
#endif
            ready.arrive_and_wait();
        } else {
#ifdef REPAIRED
            filled.arrive_and_wait();
#endif
            out[i] = s_stage[0];
            ready.arrive_and_wait();
        }
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 3 * sizeof(int));
    pairs<<<1, 64>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (out[0] != 0 || out[1] != 2 || out[2] != 4) return 1;
#endif
    return 0;
}
