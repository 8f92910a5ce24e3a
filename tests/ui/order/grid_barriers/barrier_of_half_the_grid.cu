// verdict: race
// race: lines 17 and 24, variable edge, global
// repaired: clean
// Pairs of blocks meet at a barrier object of device scope of their own, one per pair. The threads
// then read the edge of the next block, which for every second block is in another pair.
// Repaired: they read the edge of their partner.
#include <cuda/barrier>
#include <cuda_runtime.h>

using Barrier = cuda::barrier<cuda::thread_scope_device>;
__device__ Barrier first_pair(64), second_pair(64);

__global__ void edges(int* edge, int* out)
{
    const int b = blockIdx.x, t = threadIdx.x;
    Barrier& pair = b < 2 ? first_pair : second_pair;
    edge[b * 32 + t] = 100 * b + t;
    pair.arrive_and_wait();
#ifdef REPAIRED
    const int other = b ^ 1;
#else
    const int other = (b + 1) % 4;
#endif
    out[b * 32 + t] = edge[other * 32 + t];
}

int main()
{
    int *edge, *out;
    cudaMallocManaged(&edge, 128 * sizeof(int));
    cudaMallocManaged(&out, 128 * sizeof(int));
    edges<<<4, 32>>>(edge, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 128; i++) {
        if (out[i] != 100 * (i / 32 ^ 1) + i % 32) return 1;
    }
#endif
    return 0;
}
