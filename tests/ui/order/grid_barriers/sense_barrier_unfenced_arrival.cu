// verdict: race
// race: lines 38 and 40, variable field, global
// repaired: clean
// A grid barrier by a counter and a sense, used twice. The last block fences before it turns the sense, and those that
// wait fence after it; the fence before the arrival is missing. So the last block does not learn what the others have
// done, and its sense cannot pass it on. The sense of the first round, which came before the writes, is not to blame.
// Repaired: __threadfence() before the arrival.
#include <cuda_runtime.h>

__device__ unsigned arrived;
__device__ volatile unsigned sense;

__device__ void meet()
{
    __syncthreads();
    if (threadIdx.x == 0) {
        const unsigned old = sense;
#ifdef REPAIRED
        __threadfence();
#endif
        if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
            arrived = 0;
            __threadfence();
            sense = 1 - old;
        } else {
            while (sense == old) {
            }
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void pass(int* field, int* out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    meet();
    field[i] = 3 * i;
    meet();
    out[i] = field[(i + 1) % n];
}

int main()
{
    int *field, *out;
    cudaMalloc(&field, 8 * sizeof(int));
    cudaMalloc(&out, 8 * sizeof(int));
    pass<<<4, 2>>>(field, out);
    cudaDeviceSynchronize();
}
