// verdict: race
// race: lines 19 and 19, variable sums, global
// race: lines 20 and 20, variable sums, global
// race: lines 21 and 21, variable first, global
// race: lines 22 and 22, variable first, global
// repaired: clean
// Macros that are heads of statements, written without blanks: what follows each of them is checked,
// whatever it is.
// Repaired: the updates are atomic, and one thread writes.
#include <cstdio>

#define GRID_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
#define rep(i, a, b) for (int i = (a); i < (b); ++i)
#define ONE if (threadIdx.x == 0)

#ifndef REPAIRED
__global__ void sum(const int* values, int* sums, int* first, int n)
{
    GRID_LOOP(i, n){ sums[0] += values[i]; }
    GRID_LOOP(i, n)rep(j, 0, 2)++sums[1];
    ONE{ first[0] = n; }else{ first[1] = n; }
    rep(i, 0, 2)if (i == 1)*(first + 2) = n;
}
#else
__global__ void sum(const int* values, int* sums, int* first, int n)
{
    GRID_LOOP(i, n){ atomicAdd(&sums[0], values[i]); }
    GRID_LOOP(i, n)rep(j, 0, 2)atomicAdd(&sums[1], 1);
    ONE{ first[0] = n; }else{ atomicExch(&first[1], n); }
    rep(i, 0, 2)if (i == 1)ONE *(first + 2) = n;
}
#endif

int main()
{
    int *values, *sums, *first;
    cudaMallocManaged(&values, 100 * sizeof(int));
    cudaMallocManaged(&sums, 2 * sizeof(int));
    cudaMallocManaged(&first, 3 * sizeof(int));
    for (int i = 0; i < 100; ++i) values[i] = i;
    sums[0] = sums[1] = 0;
    sum<<<1, 32>>>(values, sums, first, 100);
    cudaDeviceSynchronize();
    std::printf("%d %d\n", sums[1], first[2]);
}
