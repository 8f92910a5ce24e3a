// verdict: race
// race: lines 15 and 27, variable list, global
// repaired: clean
// Thread 0 of each block fences and arrives at the grid barrier. A fence orders what its thread has
// done or observed. The other threads of the block may not have stored yet; nothing connects
// them with thread 0 before it arrives.
// Repaired: a __syncthreads() before the arrival.
#include <cuda_runtime.h>

__device__ unsigned waiting;

__global__ void gather(int* list, int* out)
{
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t >= 32) list[blockIdx.x * 32 + t - 32] = i;
#ifdef REPAIRED
    __syncthreads();
#endif
    if (t == 0) {
        __threadfence();
        atomicInc(&waiting, 1000);
        while (atomicOr(&waiting, 0) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
    out[i] = list[(gridDim.x - 1 - blockIdx.x) * 32 + t % 32];
}

int main()
{
    int *list, *out;
    cudaMallocManaged(&list, 128 * sizeof(int));
    cudaMallocManaged(&out, 256 * sizeof(int));
    gather<<<4, 64>>>(list, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 256; i++) {
        if (out[i] != (3 - i / 64) * 64 + 32 + i % 32) return 1;
    }
#endif
    return 0;
}
