// verdict: race
// race: lines 20 and 27, variable s_table, shared
// repaired: clean
// One thread makes a table and arrives; lane 0 of the other warp waits for it on behalf of its
// warp. The wait is an acquire by lane 0. The other lanes have been at no barrier since, and so
// their loads are not ordered.
// Repaired: __syncwarp() after the wait passes the order on to the other lanes.
#include <cuda/barrier>
#include <cuda/std/utility>
#include <cuda_runtime.h>

__global__ void lookup(int* out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ int s_table[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) init(&bar, 2);
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < 32; i++) s_table[i] = i * (i - 1) / 2;
        (void)bar.arrive();
    } else if (threadIdx.x >= 32) {
        if (lane == 0) bar.wait(bar.arrive());
#ifdef REPAIRED
        __syncwarp();
#endif
        if (lane != 0) out[lane] = s_table[lane];
    }
}

int main()
{
    int* out;
    cudaMallocManaged(&out, 32 * sizeof(int));
    lookup<<<1, 64>>>(out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 1; i < 32; i++) {
        if (out[i] != i * (i - 1) / 2) return 1;
    }
#endif
    return 0;
}
