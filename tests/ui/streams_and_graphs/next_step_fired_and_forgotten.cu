// verdict: race
// race: lines 22 and 24, variable cells, global
// race: lines 24 and 24, variable cells, global
// repaired: clean
// nvcc: -rdc=true
// Each launch of a kernel makes a step: it shifts an array by one place, with a barrier between reading and
// writing, and launches the next one. The launching thread does not wait until others have stored.
// Repaired: each step is a tail launch, which begins when the one before has ended.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int n = 64;
#ifdef REPAIRED
constexpr int steps = 300;
#else
constexpr int steps = 4;
#endif

__global__ void shift(int* cells, int step)
{
    int t = threadIdx.x;
    int next = cells[(t + 1) % n];
    __syncthreads();
    cells[t] = next;
    if (t != 0 || step == steps) return;
#ifdef REPAIRED
    shift<<<1, n, 0, cudaStreamTailLaunch>>>(cells, step + 1);
#else
    shift<<<1, n, 0, cudaStreamFireAndForget>>>(cells, step + 1);
#endif
}

int main()
{
    int* cells;
    cudaMallocManaged(&cells, n * sizeof(int));
    for (int i = 0; i < n; ++i) cells[i] = i;
    shift<<<1, n>>>(cells, 1);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += cells[i] != (i + steps) % n;
    std::printf("%d wrong\n", wrong);
    return wrong;
}
