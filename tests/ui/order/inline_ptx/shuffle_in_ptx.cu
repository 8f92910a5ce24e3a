// verdict: race
// race: lines 21 and 28, variable row, shared
// repaired: clean
// nvcc: -arch=sm_80
// Each lane stores an element, exchanges a number with its neighbour by `shfl.sync`, and reads the neighbour's
// element. The lanes of a shuffle wait for one another, but it orders no memory accesses (PTX ISA,
// "shfl.sync"). Nor do the vote and the reduction.
// Repaired: `bar.warp.sync` before the read.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void exchange(const int* in, int* out)
{
    __shared__ int s_row[64];
    const unsigned lane = threadIdx.x % 32;
    int* const row = s_row + threadIdx.x - lane;
    const int value = in[threadIdx.x];
    int neighbour, largest;
    unsigned odd;

    row[lane] = value;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, -1;" : "=r"(neighbour) : "r"(value));
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, -1; }" : "=r"(odd) : "r"(value & 1));
    asm volatile("redux.sync.max.s32 %0, %1, -1;" : "=r"(largest) : "r"(value));
#ifdef REPAIRED
    asm volatile("bar.warp.sync -1;" : : : "memory");
#endif
    const int stored = row[lane ^ 1];
    out[threadIdx.x] = (stored == neighbour) + 2 * __popc(odd) + 100 * largest;
}

int main()
{
    const int n = 64;
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; i++) in[i] = i;
    exchange<<<1, n>>>(in, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < n; i++) {
        if (out[i] != 1 + 2 * 16 + 100 * (i / 32 * 32 + 31)) {
            fprintf(stderr, "wrong element %d: %d\n", i, out[i]);
            return 1;
        }
    }
#endif
    return 0;
}
