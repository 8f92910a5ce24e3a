// verdict: race
// race: lines 32 and 39, variable length, global
// repaired: clean
// Even blocks push under one lock, odd blocks pop under another; both update the length of the list.
// Each lock orders its own holders. A push and a pop synchronise with nothing that they share.
// Repaired: both use one lock.
#include <cuda/atomic>
#include <cstdio>
#include <cuda_runtime.h>

struct List {
    int push_lock, pop_lock, length;
};

__device__ void take(int* lock)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
}

__device__ void give(int* lock)
{
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void update(int* push_lock, int* pop_lock, int* length)
{
    if (blockIdx.x % 2 == 0) {
        take(push_lock);
        *length += 3;
        give(push_lock);
    } else {
#ifdef REPAIRED
        pop_lock = push_lock;
#endif
        take(pop_lock);
        *length -= 1;
        give(pop_lock);
    }
}

int main()
{
    List* list;
    List result;
    cudaMalloc(&list, sizeof(List));
    cudaMemset(list, 0, sizeof(List));
    update<<<6, 1>>>(&list->push_lock, &list->pop_lock, &list->length);
    cudaMemcpy(&result, list, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(list);
#ifdef REPAIRED
    if (result.length != 6) return 1;
#endif
    printf("length %d\n", result.length);
    return 0;
}
