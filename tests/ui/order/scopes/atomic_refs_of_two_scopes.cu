// verdict: race
// race: lines 26 and 28, variable epoch, global
// race: lines 25 and 30, variable state, global
// repaired: clean
// One object, two references: the writer's cuda::atomic_ref has block scope, the reader's device scope.
// The scope of the writer leaves the reader out. The pair on the word is not morally strong: it races,
// and does not synchronise.
// Repaired: both references have device scope.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>

__device__ int epoch, state;
__device__ int seen[4];
#ifdef REPAIRED
using WriterRef = cuda::atomic_ref<int, cuda::thread_scope_device>;
#else
using WriterRef = cuda::atomic_ref<int, cuda::thread_scope_block>;
#endif
using ReaderRef = cuda::atomic_ref<int, cuda::thread_scope_device>;

__global__ void announce()
{
    if (blockIdx.x == 3) {
        state = 17;
        WriterRef(epoch).store(1, cuda::memory_order_release);
    } else {
        while (ReaderRef(epoch).load(cuda::memory_order_acquire) == 0) {
        }
        seen[blockIdx.x] = state;
    }
}

int main()
{
    announce<<<4, 1>>>();
    int result[4];
    cudaMemcpyFromSymbol(result, seen, sizeof result);
    for (int b = 0; b < 3; b++) {
        if (result[b] != 17) return 1;
    }
    printf("seen\n");
    return 0;
}
