// verdict: race
// race: lines 18 and 26, variable s_batch, shared
// repaired: clean
// The second warp consumes what the first one produces. Both arrive at the barrier, but arrive()
// does not block and is no acquire: without wait() the consumer has not learned of any store.
// Repaired: the consumer arrives and waits; the producer, which reads nothing, only arrives.
#include <cuda/barrier>
#include <cuda_runtime.h>

__global__ void produce_and_consume(int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> filled;
    __shared__ int s_batch[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) init(&filled, 64);
    __syncthreads();
    if (threadIdx.x < 32) {
        s_batch[lane] = 9 * lane;
        (void)filled.arrive();
    } else {
#ifdef REPAIRED
        filled.arrive_and_wait();
#else
        (void)filled.arrive();
#endif
        out[lane] = s_batch[lane] + 1;
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    produce_and_consume<<<1, 64>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != 9 * i + 1) return 1;
    }
#endif
    return 0;
}
