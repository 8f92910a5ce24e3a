// verdict: race
// race: lines 17 and 23, variable data, shared
// repaired: clean
// nvcc: -arch=sm_80
// Two warps vote at a barrier with a number and then read what the other one has written. The barrier counts 32
// threads, so that it completes when one warp has arrived.
// Repaired: it counts both warps.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void share(int* out)
{
    __shared__ int data[64];
    const int t = threadIdx.x;
    unsigned count;
    // A read of the own element would be ordered.
    data[t] = t;
#ifdef REPAIRED
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 3; bar.red.popc.u32 %0, 2, 64, p; }" : "=r"(count) : "r"(t) : "memory");
#else
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 3; bar.red.popc.u32 %0, 2, 32, p; }" : "=r"(count) : "r"(t) : "memory");
#endif
    out[t] = data[63 - t] + (count >= 31);
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 64 * sizeof *out);
    share<<<1, 64>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (out[i] != 64 - i) return printf("%d: %d\n", i, out[i]), 1;
    }
#endif
    return 0;
}
