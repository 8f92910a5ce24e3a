// verdict: race
// race: lines 20 and 20, variable sum, global
// repaired: clean
// A spin lock of atomicCAS and atomicExch around a sum of all blocks, without any fence. Both operations are relaxed:
// a block that takes the lock knows nothing of what the block before it has done.
// Repaired: a fence after taking the lock, and one before releasing it.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int lock;

__global__ void add_up(const int* in, int* sum)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0) {
        }
#ifdef REPAIRED
        __threadfence();
#endif
        *sum += in[blockIdx.x];
#ifdef REPAIRED
        __threadfence();
#endif
        atomicExch(&lock, 0);
    }
}

int main()
{
    const int blocks = 16;
    int in[blocks], *d_in, *sum;
    for (int i = 0; i < blocks; ++i) in[i] = i;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&sum, sizeof(int));
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(sum, 0, sizeof(int));
    add_up<<<blocks, 32>>>(d_in, sum);
    int found = 0;
    cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost);
    std::printf("sum %d\n", found);
    cudaFree(d_in);
    cudaFree(sum);
    return found != blocks * (blocks - 1) / 2;
}
