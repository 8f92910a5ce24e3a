// verdict: race
// race: lines 8 and 8, variable visits, global
// repaired: clean
// A header defines a device variable, and the program another one. All threads of a warp count in the
// header's variable.
// Repaired: one thread counts.
#include <cstdio>
#include <cuda_runtime.h>
#include "../common/counters.cuh"

__device__ int last_place = 2;

__global__ void count(int* out)
{
#ifdef REPAIRED
    if (threadIdx.x == 0)
#endif
    visit(last_place);
    __syncthreads();
    out[threadIdx.x] = visits[last_place];
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    count<<<1, 32>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (out[5] != 1) {
        fprintf(stderr, "%d visits\n", out[5]);
        return 1;
    }
#endif
    printf("visited\n");
    cudaFree(out);
    return 0;
}
