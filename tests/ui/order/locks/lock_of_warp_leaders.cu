// verdict: race
// race: lines 26 and 26, variable total, global
// repaired: clean
// The first lane of each warp takes a lock for its warp, and gives it back while other lanes may still be in the
// section. A barrier of the block would not help: one warp waits for the lock that the other one has.
// Repaired: __syncwarp() before the lane releases the lock.
#include <cuda_runtime.h>

__device__ int lock;
__device__ float total[32];

__global__ void add(float part)
{
    const int lane = threadIdx.x % 32;
    if (lane == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
        __threadfence();
    }
    __syncwarp();
#ifdef REPAIRED
    const float before = total[lane];
    total[lane] = before + part;
    __syncwarp();
#else
    total[lane] += part;
#endif
    if (lane == 0) {
        __threadfence();
        atomicExch(&lock, 0);
    }
}

int main()
{
    add<<<2, 64>>>(0.5f);
    cudaDeviceSynchronize();
}
