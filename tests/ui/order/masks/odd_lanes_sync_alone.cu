// verdict: race
// race: lines 14 and 22, variable s_even, shared
// repaired: clean
// Even lanes prepare a value for the odd lane to their right. The barrier's mask 0xaaaaaaaa names
// only the odd lanes; __syncwarp() orders accesses among participating threads, and the even
// lanes, which write, do not participate.
// Repaired: all lanes execute a barrier whose mask names them all.
#include <cuda_runtime.h>

__global__ void even_to_odd(int* out)
{
    __shared__ int s_even[16];
    const int lane = threadIdx.x;
    if (lane % 2 == 0) s_even[lane / 2] = lane * lane;
#ifdef REPAIRED
    __syncwarp();
#endif
    if (lane % 2 == 1) {
#ifndef REPAIRED
        __syncwarp(0xaaaaaaaau);
#endif
        out[lane / 2] = s_even[lane / 2] + 1;
    }
}

int main()
{
    int* out;
    cudaMalloc(&out, 16 * sizeof(int));
    even_to_odd<<<1, 32>>>(out);
    int result[16];
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(out);
#ifdef REPAIRED
    for (int i = 0; i < 16; i++) {
        if (result[i] != 4 * i * i + 1) return 1;
    }
#endif
    return 0;
}
