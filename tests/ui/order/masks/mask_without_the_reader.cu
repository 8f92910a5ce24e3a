// verdict: race
// race: lines 14 and 25, variable s_line, shared
// repaired: clean
// Thirty-one lanes fill a line, and the mask of their barrier names just these. The thirty-second,
// which checks the line, skips the barrier, so nothing orders the stores before its loads.
// Repaired: the mask names the reader too, and it takes part.
#include <cuda_runtime.h>

__global__ void fill_and_check(int* out)
{
    __shared__ int s_line[31];
    const int lane = threadIdx.x % 32;
    if (lane < 31) {
        s_line[lane] = 2 * lane + 1;
#ifdef REPAIRED
        __syncwarp();
#else
        __syncwarp(0x7fffffffu);
#endif
    } else {
#ifdef REPAIRED
        __syncwarp();
#endif
        int sum = 0;
        for (int i = 0; i < 31; i++) sum += s_line[i];
        out[blockIdx.x] = sum;
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 3 * sizeof(int));
    fill_and_check<<<3, 32>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int b = 0; b < 3; b++) {
        if (out[b] != 31 * 31) return 1;
    }
#endif
    return 0;
}
