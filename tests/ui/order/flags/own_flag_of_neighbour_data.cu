// verdict: race
// race: lines 20 and 30, variable cell, global
// repaired: clean
// Every thread of block 1 acquires the flag of one cell, but reads the next cell as well.
// The flag of a cell orders that cell only: nothing orders the neighbour's.
// Repaired: a barrier after the acquires; what one thread has acquired then precedes what the other
// threads of the block read, since barriers and synchronisation compose in causality order.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

constexpr int n = 64;
__device__ cuda::atomic<int, cuda::thread_scope_device> ready[n];
__device__ int cell[n], smooth[n];

__global__ void smoothen()
{
    const int i = threadIdx.x;
    if (blockIdx.x == 0) {
        cell[i] = i * i;
        ready[i].store(1, cuda::memory_order_release);
        return;
    }
    while (!ready[i].load(cuda::memory_order_acquire)) {
    }
#ifdef REPAIRED
    __syncthreads();
#endif
    const int mine = cell[i];
    smooth[i] = mine + cell[(i + 1) % n];
}

int main()
{
    smoothen<<<2, n>>>();
    int result[n];
    cudaMemcpyFromSymbol(result, smooth, sizeof result);
    for (int i = 0; i < n; i++) {
        const int j = (i + 1) % n;
        if (result[i] != i * i + j * j) return 1;
    }
    printf("smooth\n");
    return 0;
}
