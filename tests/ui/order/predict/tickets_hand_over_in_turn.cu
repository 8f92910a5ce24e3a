// verdict: clean
// predict: 8
// A ticket lock: who has a ticket waits for its number. The order of the tickets could be another one, but
// data that a ticket's holder leaves behind is read by the next one only after its number has come.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ unsigned next_ticket = 0;
__device__ cuda::atomic<unsigned, cuda::thread_scope_device> serving{0};
__device__ int last = 0, sum = 0;

__global__ void counter()
{
    if (threadIdx.x != 0) return;
    const unsigned mine = atomicAdd(&next_ticket, 1u);
    while (serving.load(cuda::memory_order_acquire) != mine) {
    }
    sum += last;
    last = blockIdx.x + 1;
    serving.store(mine + 1, cuda::memory_order_release);
}

int main()
{
    counter<<<5, 32>>>();
    int result = 0, left = 0;
    cudaMemcpyFromSymbol(&result, sum, sizeof result);
    cudaMemcpyFromSymbol(&left, last, sizeof left);
    if (result + left != 15) return 1;
    printf("%d\n", result);
    return 0;
}
