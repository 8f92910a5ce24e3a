// verdict: race
// race: lines 17 and 23, variable data, global
// repaired: clean
// A cuda::std::barrier, which has system scope, in global memory; one thread of each block arrives
// for its block and waits. Its arrival is cumulative: it also orders the stores of threads that it
// has synchronised with. Without a __syncthreads() before it, there are no such threads.
// Repaired: __syncthreads() collects the block's stores before the arrival.
#include <cuda/std/barrier>
#include <new>
#include <cuda_runtime.h>

using Barrier = cuda::std::barrier<>;

__global__ void mirror(Barrier* bar, int* data, int* out)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    data[i] = 2 * i;
#ifdef REPAIRED
    __syncthreads();
#endif
    if (threadIdx.x == 0) bar->arrive_and_wait();
    __syncthreads();
    out[i] = data[3 * 64 - 1 - i];
}

int main()
{
    Barrier* bar;
    int *data, *out;
    cudaMallocManaged(&bar, sizeof(Barrier));
    cudaMallocManaged(&data, 3 * 64 * sizeof(int));
    cudaMallocManaged(&out, 3 * 64 * sizeof(int));
    new (bar) Barrier(3);
    mirror<<<3, 64>>>(bar, data, out);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 3 * 64; i++) {
        if (out[i] != 2 * (3 * 64 - 1 - i)) return 1;
    }
#endif
    return 0;
}
