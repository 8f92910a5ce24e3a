// verdict: race
// race: lines 22 and 24, variable s_value, shared
// repaired: clean
// Lanes exchange values with the lane eight places away. __syncwarp(mask) orders memory accesses
// among the lanes of its mask only, and a quarter of the warp does not contain that lane.
// Repaired: the mask names a half of the warp, which contains both lanes of each exchange.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int threads = 64;

__global__ void exchange(const int* in, int* out)
{
    __shared__ int s_value[threads];
    const int t = threadIdx.x;
    const int lane = t % 32;
#ifdef REPAIRED
    const unsigned mask = 0xffffu << (lane / 16 * 16);
#else
    const unsigned mask = 0xffu << (lane / 8 * 8);
#endif
    s_value[t] = in[t];
    __syncwarp(mask);
    out[t] = s_value[t ^ 8];
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, threads * sizeof(int));
    cudaMallocManaged(&out, threads * sizeof(int));
    for (int i = 0; i < threads; i++) in[i] = 3 * i;
    exchange<<<1, threads>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < threads; i++) {
        if (out[i] != in[i ^ 8]) return 1;
    }
#endif
    std::printf("exchanged %d values\n", threads);
    return 0;
}
