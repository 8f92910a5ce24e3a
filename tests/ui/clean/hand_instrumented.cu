// verdict: clean
// The wrapper for code that is instrumented by hand: each thread folds in its mirror
// image, which another array holds.
#include <cstdio>
#include <cuda_runtime.h>
#include <hirace/hirace.cuh>

__global__ void fold(int* data, int* folded, int* total)
{
    hirace::array<int> values(data);
    hirace::array<int> results(folded);
    hirace::array<int> sum(total);
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    results[t] = values[255 - t] + 1;
    atomicAdd(&sum[0], 1);
}

int main()
{
    int *data, *folded, *total;
    cudaMallocManaged(&data, 256 * sizeof(int));
    cudaMallocManaged(&folded, 256 * sizeof(int));
    cudaMallocManaged(&total, sizeof(int));
    cudaMemset(data, 0, 256 * sizeof(int));
    *total = 0;
    fold<<<2, 128>>>(data, folded, total);
    cudaDeviceSynchronize();
    std::printf("threads %d\n", *total);
    return *total == 256 ? 0 : 1;
}
