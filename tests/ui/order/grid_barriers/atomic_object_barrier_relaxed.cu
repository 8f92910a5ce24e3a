// verdict: race
// race: lines 16 and 31, variable plane, global
// repaired: clean
// A grid barrier with a cuda::atomic of device scope. With memory_order_relaxed the additions and
// loads make every block wait, but they synchronise nothing.
// Repaired: the default order, seq_cst, makes each addition a release and each load an acquire; the
// additions form one release sequence, so the last value carries the stores of all blocks.
#include <cuda/atomic>
#include <cuda_runtime.h>

using Counter = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void xor_planes(int* plane, int* out, Counter* counter)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    plane[i] = 1 << (i % 20);
    __syncthreads();
    if (threadIdx.x == 0) {
#ifdef REPAIRED
        *counter += 1;
        while (*counter != 5) {
        }
#else
        counter->fetch_add(1, cuda::memory_order_relaxed);
        while (counter->load(cuda::memory_order_relaxed) != 5) {
        }
#endif
    }
    __syncthreads();
    int mixed = 0;
    for (int b = 0; b < 5; b++) mixed ^= plane[b * 32 + threadIdx.x];
    out[i] = mixed;
}

int main()
{
    int *plane, *out;
    Counter* counter;
    cudaMallocManaged(&plane, 160 * sizeof(int));
    cudaMallocManaged(&out, 160 * sizeof(int));
    cudaMalloc(&counter, sizeof(Counter));
    cudaMemset(counter, 0, sizeof(Counter));
    xor_planes<<<5, 32>>>(plane, out, counter);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int i = 0; i < 160; i++) {
        int mixed = 0;
        for (int b = 0; b < 5; b++) mixed ^= 1 << ((b * 32 + i % 32) % 20);
        if (out[i] != mixed) return 1;
    }
#endif
    return 0;
}
