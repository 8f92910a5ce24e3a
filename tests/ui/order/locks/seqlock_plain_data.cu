// verdict: race
// race: lines 27 and 39, variable point, global
// repaired: clean
// A sequence lock: the writer makes the number odd, writes a point, makes it even; the reader retries
// until the number is even and the same before and after. The reader starts when one write is through.
// The point is plain. Its reads come before the check that tells whether they were valid, and nothing
// orders them before a write that follows: a race even where the copy is thrown away.
// Repaired: coordinates are volatile, strong accesses that do not race; the fences order them.
#include <cstdio>
#include <cuda_runtime.h>

#ifdef REPAIRED
__device__ volatile int point[2];
#else
__device__ int point[2];
#endif
__device__ volatile int number;
__device__ volatile int reading;
__device__ int copy[2];

__global__ void move(int steps)
{
    if (blockIdx.x == 0) {
        for (int s = 1; s <= steps; s++) {
            number = 2 * s - 1;
            __threadfence();
            for (int c = 0; c < 2; c++) point[c] = s;
            __threadfence();
            number = 2 * s;
            while (s == 1 && reading == 0) {
            }
        }
        return;
    }
    int before, after;
    do {
        before = number;
        asm volatile("fence.acq_rel.gpu;" : : : "memory");
        for (int c = 0; c < 2; c++) copy[c] = point[c];
        reading = before >= 2;
        asm volatile("fence.acq_rel.gpu;" : : : "memory");
        after = number;
    } while (before == 0 || before % 2 == 1 || before != after);
}

int main()
{
    move<<<2, 1>>>(4);
    int result[2];
    cudaMemcpyFromSymbol(result, copy, sizeof result);
#ifdef REPAIRED
    if (result[0] != result[1] || result[0] == 0) return 1;
#endif
    printf("at %d, %d\n", result[0], result[1]);
    return 0;
}
