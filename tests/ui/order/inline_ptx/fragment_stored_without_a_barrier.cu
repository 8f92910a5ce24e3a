// verdict: race
// race: lines 20 and 29, variable tile, shared
// repaired: clean
// nvcc: -arch=sm_80
// One warp stores a fragment of ones to shared memory by wmma.store, and another warp loads it by wmma.load. Each lane
// writes and reads a part of the matrix.
// Repaired: a barrier comes between the two.
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned in_shared(const void* object) { return static_cast<unsigned>(__cvta_generic_to_shared(object)); }

__global__ void exchange(float* out)
{
    __shared__ alignas(32) float tile[256];
    float c[8];
    for (int i = 0; i < 8; i++) c[i] = 1;
    if (threadIdx.x < 32) {
        // By rows.
        asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, 16;"
                     : : "r"(in_shared(tile)), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]), "f"(c[5]), "f"(c[6]), "f"(c[7])
                     : "memory");
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    if (threadIdx.x >= 32) {
        // By columns.
        asm volatile("wmma.load.c.sync.aligned.col.m16n16k16.shared.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], 16;"
                     : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3]), "=f"(c[4]), "=f"(c[5]), "=f"(c[6]), "=f"(c[7])
                     : "r"(in_shared(tile)) : "memory");
        out[threadIdx.x - 32] = c[0] + c[7];
    }
}

int main()
{
    float* out;
    cudaMallocManaged(&out, 32 * sizeof *out);
    exchange<<<1, 64>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 32; i++) {
        if (out[i] != 2) return printf("%d: %g\n", i, out[i]), 1;
    }
#endif
    return 0;
}
