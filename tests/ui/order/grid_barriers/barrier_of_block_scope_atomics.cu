// verdict: race
// race: lines 22 and 27, variable share, global
// race: lines 24 and 24, variable arrived, global
// race: lines 24 and 25, variable arrived, global
// repaired: clean
// The grid barrier uses release and acquire operations, but through an atomic_ref whose scope is
// the block. Operations of different blocks are then not morally strong to each other and
// do not synchronise (PTX ISA, "Morally Strong Operations"; the counter itself races as well).
// Repaired: an atomic_ref of device scope.
#include <cuda/atomic>
#include <cuda_runtime.h>

#ifdef REPAIRED
using Ref = cuda::atomic_ref<int, cuda::thread_scope_device>;
#else
using Ref = cuda::atomic_ref<int, cuda::thread_scope_block>;
#endif

__global__ void exchange(int* share, int* out, int* counter)
{
    const int b = blockIdx.x;
    share[b] = 6 * b;
    Ref arrived(*counter);
    arrived.fetch_add(1, cuda::memory_order_release);
    while (arrived.load(cuda::memory_order_acquire) < 2) {
    }
    out[b] = share[1 - b];
}

int main()
{
    int *share, *out, *counter;
    cudaMallocManaged(&share, 2 * sizeof(int));
    cudaMallocManaged(&out, 2 * sizeof(int));
    cudaMallocManaged(&counter, sizeof(int));
    *counter = 0;
    exchange<<<2, 1>>>(share, out, counter);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    if (out[0] != 6 || out[1] != 0) return 1;
#endif
    return 0;
}
