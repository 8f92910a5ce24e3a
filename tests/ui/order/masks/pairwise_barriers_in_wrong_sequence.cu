// verdict: race
// race: lines 15 and 27, variable s_message, shared
// repaired: clean
// Lane 0 sends a message to lane 2 through lane 1, by barriers of two lanes each. Order is
// transitive: {0,1} first and {1,2} next put lane 0's store before lane 2's load. In the other
// sequence lane 2 has passed its only barrier before lane 1 has met lane 0.
// Repaired: lane 1 meets lane 0 first.
#include <cuda_runtime.h>

__global__ void relay(int* out)
{
    __shared__ int s_message;
    const int lane = threadIdx.x;
    if (lane == 0) {
        s_message = 42;
        __syncwarp(0x3u);
    } else if (lane == 1) {
#ifdef REPAIRED
        __syncwarp(0x3u);
        __syncwarp(0x6u);
#else
        __syncwarp(0x6u);
        __syncwarp(0x3u);
#endif
    } else if (lane == 2) {
        __syncwarp(0x6u);
        *out = s_message;
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, sizeof(int));
    relay<<<1, 32>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (*out != 42) return 1;
#endif
    return 0;
}
