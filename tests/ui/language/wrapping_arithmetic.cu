// verdict: race
// race: lines 23 and 23, variable sums, global
// repaired: clean
// Integers that wrap around and pointers of several types to one object: programs for GPUs rely on both, so
// the loops end, and the program passes its own check.
// Repaired: the update is atomic.
#include <cstdio>

__device__ float punned(int* bits, float* number)
{
    *number = 1.0f;
    *bits = 0;
    return *number;
}

__global__ void count(int* sums, int step)
{
    __shared__ float numbers[32];
    int steps = 0;
    for (int i = 1; i > 0; i *= step) ++steps;  // until the product is negative
    float none = punned(reinterpret_cast<int*>(&numbers[threadIdx.x]), &numbers[threadIdx.x]);
#ifndef REPAIRED
    sums[0] += steps + static_cast<int>(none);
#else
    atomicAdd(&sums[0], steps + static_cast<int>(none));
#endif
}

int main()
{
    int* sums;
    cudaMallocManaged(&sums, sizeof(int));
    *sums = 0;
    int state = 7, rejected = 0;
    do {
        state = (1103515245 * state + 12345) & 0x7fffffff;  // overflows
        ++rejected;
    } while (state % 100 != 0);
    count<<<1, 32>>>(sums, 3);
    cudaDeviceSynchronize();
    std::printf("%d %d\n", *sums, rejected);
    return *sums == 640 ? 0 : 1;
}
