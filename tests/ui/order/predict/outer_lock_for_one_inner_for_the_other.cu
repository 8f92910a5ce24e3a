// verdict: possible
// possible: lines 35 and 48, variable length, global
// predict: 8
// repaired: clean
// An insertion holds the lock of the list, and inside it the lock of a node. The length is written under
// the lock of the list, and a reader reads it under that of the node.
// Repaired: the reader takes the lock of the list, too.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int list_lock = 0, node_lock = 0;
__device__ int length = 0, value = 0, seen_length = 0;

__device__ bool try_take(int* lock)
{
    const bool taken = atomicCAS(lock, 0, 1) == 0;
    if (taken) __threadfence();
    return taken;
}

__device__ void give(int* lock)
{
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void edit()
{
    const int me = blockIdx.x;
    if (me == 0) {
        while (!try_take(&list_lock)) {
        }
        while (!try_take(&node_lock)) {
        }
        length = 1;
        value += 10;
        give(&node_lock);
        give(&list_lock);
    } else {
#ifdef REPAIRED
        while (!try_take(&list_lock)) {
        }
#endif
        while (!try_take(&node_lock)) {
        }
        value += 1;
        give(&node_lock);
        seen_length = length;
#ifdef REPAIRED
        give(&list_lock);
#endif
    }
}

int main()
{
    edit<<<2, 1>>>();
    int result = 0;
    cudaMemcpyFromSymbol(&result, value, sizeof result);
    if (result != 11) return 1;
    printf("%d\n", result);
    return 0;
}
