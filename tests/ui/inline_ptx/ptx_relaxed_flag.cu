// verdict: race
// race: lines 20 and 27, variable stop, global
// repaired: clean
// One thread tells the others to stop: they poll a word with relaxed loads.
// The store is a plain one.
// Repaired: the store is relaxed, too. Strong accesses do not race with one another.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int blocks = 4;

__global__ void poll(int* stop, int* polls)
{
    int stopped = 0, count = 0;
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) {
#ifdef REPAIRED
            asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(stop), "r"(1) : "memory");
#else
            asm volatile("st.global.u32 [%0], %1;" : : "l"(stop), "r"(1) : "memory");
#endif
        }
        return;
    }
    while (stopped == 0) {
        count++;
        asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(stopped) : "l"(stop) : "memory");
    }
    polls[blockIdx.x * blockDim.x + threadIdx.x] = count;
}

int main()
{
    int *d_stop, *d_polls;
    cudaMalloc(&d_stop, sizeof(int));
    cudaMalloc(&d_polls, blocks * 32 * sizeof(int));
    cudaMemset(d_stop, 0, sizeof(int));
    poll<<<blocks, 32>>>(d_stop, d_polls);
    const bool failed = cudaDeviceSynchronize() != cudaSuccess;
    cudaFree(d_stop);
    cudaFree(d_polls);
    printf("stopped\n");
    return failed;
}
