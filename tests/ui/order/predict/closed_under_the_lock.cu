// verdict: clean
// predict: 8
// A variable under a lock decides who owns data outside of it: users count themselves as long as the store
// is open; the one who closes it owns the data once all of them have left. And a stack of free buffers
// under the lock gives each buffer to one block at a time.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int lock = 0;
__device__ int closed = 0, inside = 0, data = 0;
__device__ int top = 2, buffers[2];

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

__global__ void visit()
{
    if (blockIdx.x == 3) {
        enter();
        closed = 1;
        int left = inside;
        leave();
        while (left != 0) {
            enter();
            left = inside;
            leave();
        }
        data = -data;
        return;
    }
    int mine = -1;
    while (mine < 0) {
        enter();
        if (top > 0) mine = --top;
        leave();
    }
    buffers[mine] += 1;
    enter();
    top++;
    leave();

    enter();
    const bool may_enter = closed == 0;
    if (may_enter) {
        ++inside;
        data += 1;
    }
    leave();
    if (!may_enter) return;
    enter();
    --inside;
    leave();
}

int main()
{
    visit<<<4, 1>>>();
    int used[2];
    cudaMemcpyFromSymbol(used, buffers, sizeof used);
    if (used[0] + used[1] != 3) return 1;
    printf("%d\n", used[1]);
    return 0;
}
