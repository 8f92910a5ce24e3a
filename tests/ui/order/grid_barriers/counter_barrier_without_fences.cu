// verdict: race
// race: lines 30 and 32, variable field, global
// repaired: clean
// A grid barrier by hand: one thread per block adds to a counter and polls it. atomicAdd() and the
// volatile load are relaxed; they order no other accesses (CUDA guide, "Memory Fence Functions"),
// so the blocks have met, but their stores are not ordered.
// Repaired: __threadfence() before the arrival and after the poll; __syncthreads() does the rest.
#include <cuda_runtime.h>

__device__ void meet(unsigned* arrived)
{
    __syncthreads();
    if (threadIdx.x == 0) {
#ifdef REPAIRED
        __threadfence();
#endif
        atomicAdd(arrived, 1u);
        while (*static_cast<volatile unsigned*>(arrived) < gridDim.x) {
        }
#ifdef REPAIRED
        __threadfence();
#endif
    }
    __syncthreads();
}

__global__ void turn(int* field, int* out, unsigned* arrived)
{
    const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    field[i] = 11 * i;
    meet(arrived);
    out[i] = field[(i + n / 2) % n];
}

int main()
{
    const int n = 4 * 64;
    int *field, *out;
    unsigned* arrived;
    cudaMallocManaged(&field, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&arrived, sizeof(unsigned));
    *arrived = 0;
    turn<<<4, 64>>>(field, out, arrived);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (out[i] != 11 * ((i + n / 2) % n)) return 1;
    }
#endif
    return 0;
}
