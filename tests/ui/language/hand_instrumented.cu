// verdict: race
// race: lines 26 and 26, variable values, global
// repaired: clean
// The wrapper for code that is instrumented by hand: each thread folds in its mirror
// image, in place.
// Repaired: the result goes to another array.
#include <cstdio>
#include <cuda_runtime.h>
#include <hirace/hirace.cuh>

#ifdef REPAIRED
__global__ void fold(int* data, int* folded, int* total)
#else
__global__ void fold(int* data, int* total)
#endif
{
    hirace::array<int> values(data);
#ifdef REPAIRED
    hirace::array<int> results(folded);
#endif
    hirace::array<int> sum(total);
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
    results[t] = values[255 - t] + 1;
#else
    values[t] = values[255 - t] + 1;
#endif
    atomicAdd(&sum[0], 1);
}

int main()
{
#ifdef REPAIRED
    int *data, *folded, *total;
#else
    int *data, *total;
#endif
    cudaMallocManaged(&data, 256 * sizeof(int));
#ifdef REPAIRED
    cudaMallocManaged(&folded, 256 * sizeof(int));
#endif
    cudaMallocManaged(&total, sizeof(int));
    cudaMemset(data, 0, 256 * sizeof(int));
    *total = 0;
#ifdef REPAIRED
    fold<<<2, 128>>>(data, folded, total);
#else
    fold<<<2, 128>>>(data, total);
#endif
    cudaDeviceSynchronize();
    std::printf("threads %d\n", *total);
    return *total == 256 ? 0 : 1;
}
