// verdict: clean
// predict: 8
// Blocks take items from a queue under a lock and work on them without it, or put new ones there. What a
// block wrote into an item before it put the item there is read by the one who takes it: its place in the
// queue says that it is there.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int items = 12, blocks = 4;
__device__ int lock = 0;
__device__ int head = 0, tail = 0, done = 0;
__device__ int queue[items], payload[items], results[items];

__device__ void enter()
{
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
}

__device__ void leave()
{
    __threadfence();
    atomicExch(&lock, 0);
}

__device__ void put(int item)
{
    payload[item] = 10 * item;
    enter();
    queue[tail++] = item;
    leave();
}

__global__ void work()
{
    for (int i = blockIdx.x; i < items / 2; i += blocks) {
        put(i);
    }
    for (;;) {
        enter();
        const bool is_empty = head == tail;
        const int item = is_empty ? -1 : queue[head++];
        const bool is_end = done == items;
        leave();
        if (is_end) return;
        if (is_empty) continue;
        results[item] = payload[item] + 1;
        if (item < items / 2) put(item + items / 2);
        enter();
        done++;
        leave();
    }
}

int main()
{
    work<<<blocks, 1>>>();
    int found[items];
    cudaMemcpyFromSymbol(found, results, sizeof found);
    for (int i = 0; i < items; ++i) {
        if (found[i] != 10 * i + 1) return 1;
    }
    printf("%d\n", found[items - 1]);
    return 0;
}
