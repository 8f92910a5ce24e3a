// verdict: race
// race: lines 30 and 38, variable other, shared
// repaired: clean
// A pair of blocks exchange a number in inline PTX: each thread waits for its cluster's barrier, and reads the other
// block's number by an address of the window of shared memory. The number is written after the arrival.
// Repaired: it is written before the arrival.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int blocks = 4;

__device__ void arrive()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ void wait()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__global__ void __cluster_dims__(2) exchange(unsigned* out)
{
    __shared__ unsigned number;
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#ifndef REPAIRED
    arrive();
#endif
    if (threadIdx.x == 0) {
        number = 7 * blockIdx.x;
    }
#ifdef REPAIRED
    arrive();
#endif
    wait();
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&number)), other, value;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(address), "r"(rank ^ 1));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(other) : "memory");
    arrive();
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
    wait();
}

int main()
{
    const int threads = 32, n = blocks * threads;
    unsigned *d_out, out[n];
    cudaMalloc(&d_out, sizeof out);
    exchange<<<blocks, threads>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(d_out);
#ifdef REPAIRED
    for (unsigned i = 0; i < n; i++) {
        if (out[i] != 7 * (i / threads ^ 1)) {
            return 1;
        }
    }
#else
    printf("%u\n", out[0]);
#endif
    return 0;
}
