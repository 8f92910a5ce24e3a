// verdict: possible
// possible: lines 36 and 53, variable table, global
// predict: 8
// repaired: clean
// Block 0 fills a table and then checks in under a lock; the others check in and read the table. In
// the natural order of blocks, the lock hands everything over. If another block checks in first, nothing
// orders its reads after the writes.
// Repaired: the others check in again until block 0 has said under the lock that the table is filled.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int gate = 0;
__device__ int checked_in = 0;
__device__ int filled = 0;
__device__ int table[4];
__device__ int picked[4];

__device__ void enter()
{
    while (atomicCAS(&gate, 0, 1) != 0) {
    }
    __threadfence();
}

__device__ void leave()
{
    __threadfence();
    atomicExch(&gate, 0);
}

__global__ void distribute()
{
    const int me = blockIdx.x;
    if (me == 0) {
        for (int i = 0; i < 4; ++i) {
            table[i] = 10 + i;
        }
        enter();
        checked_in++;
        filled = 1;
        leave();
    } else {
        bool ready = false;
        do {
            enter();
#ifdef REPAIRED
            ready = filled != 0;
#else
            checked_in++, ready = true;
#endif
            leave();
        } while (!ready);
        picked[me] = table[me];
    }
}

int main()
{
    distribute<<<4, 1>>>();
    int found[4];
    cudaMemcpyFromSymbol(found, picked, sizeof found);
#ifdef REPAIRED
    for (int i = 1; i < 4; ++i) {
        if (found[i] != 10 + i) return 1;
    }
#endif
    printf("%d\n", found[3]);
    return 0;
}
