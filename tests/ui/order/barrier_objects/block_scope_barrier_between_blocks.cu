// verdict: race
// race: lines 27 and 29, variable data, global
// race: lines 28 and 28, variable bar, global
// repaired: clean
// Threads of two blocks meet at a barrier in global memory. Its thread scope is the block, and an
// operation of block scope synchronises with threads of the same block only; the other block's
// stores are not ordered, even if the counting works, and the arrivals race with each other.
// Repaired: a barrier of device scope.
#include <cuda/barrier>
#include <new>
#include <cuda_runtime.h>

#ifdef REPAIRED
using Barrier = cuda::barrier<cuda::thread_scope_device>;
#else
using Barrier = cuda::barrier<cuda::thread_scope_block>;
#endif

__global__ void make(Barrier* bar)
{
    init(bar, 64);
}

__global__ void swap_blocks(Barrier* bar, int* data, int* out)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    data[i] = i + 1;
    bar->arrive_and_wait();
    out[i] = data[i ^ 32];
}

int main()
{
    Barrier* bar;
    int *data, *out;
    cudaMalloc(&bar, sizeof(Barrier));
    cudaMallocManaged(&data, 64 * sizeof(int));
    cudaMallocManaged(&out, 64 * sizeof(int));
    make<<<1, 1>>>(bar);
    swap_blocks<<<2, 32>>>(bar, data, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 64; i++) {
        if (out[i] != (i ^ 32) + 1) return 1;
    }
#endif
    return 0;
}
