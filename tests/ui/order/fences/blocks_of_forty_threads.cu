// verdict: race
// race: lines 14 and 21, variable limits, global
// repaired: clean
// A block of forty threads has a full warp, and one of eight lanes. These eight read the limit of
// their block, and the last one raises it: the warp has to meet in between, and a fence does not make
// it meet.
// Repaired: `__syncwarp()` in place of the fence.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void raise_limits(const int* in, int* out, int* limits, int* done)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int limit = threadIdx.x < 32 ? 50 : limits[blockIdx.x];
    out[i] = in[i] < limit ? in[i] : limit;
#ifdef REPAIRED
    __syncwarp();
#else
    __threadfence();
#endif
    if (threadIdx.x == blockDim.x - 1) limits[blockIdx.x] = limit + 1;
    __threadfence();
    atomicAdd(done, 1);
}

int main()
{
    const int blocks = 5, threads = 40, n = blocks * threads;
    int *in, *out, *limits, *done;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMallocManaged(&limits, blocks * sizeof(int));
    cudaMallocManaged(&done, sizeof(int));
    for (int i = 0; i < n; i++) in[i] = i;
    for (int b = 0; b < blocks; b++) limits[b] = 100;
    *done = 0;
    raise_limits<<<blocks, threads>>>(in, out, limits, done);
    cudaDeviceSynchronize();
    printf("%d threads, limit %d\n", *done, limits[0]);
    return *done == n && limits[0] == 101 ? 0 : 1;
}
