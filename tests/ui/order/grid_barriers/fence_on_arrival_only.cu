// verdict: race
// race: lines 15 and 27, variable column, global
// repaired: clean
// The barrier's arrival has its __threadfence(), and so is a release pattern. The departure has
// none: a relaxed load becomes an acquire only with a fence behind it (PTX ISA, "Release and
// Acquire Patterns"). Both sides are needed for an order.
// Repaired: a __threadfence() after the loop that polls.
#include <cuda_runtime.h>

__device__ int arrivals;

__global__ void shift(int* column, int* out)
{
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    column[i] = i ^ 21;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&arrivals, 1);
        while (atomicAdd(&arrivals, 0) < static_cast<int>(gridDim.x)) {
        }
#ifdef REPAIRED
        __threadfence();
#endif
    }
    __syncthreads();
    out[i] = column[(i + blockDim.x) % n];
}

int main()
{
    const int n = 3 * 32;
    int *column, *out;
    cudaMallocManaged(&column, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    shift<<<3, 32>>>(column, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (out[i] != ((i + 32) % n ^ 21)) return 1;
    }
#endif
    return 0;
}
