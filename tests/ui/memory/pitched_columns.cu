// verdict: race
// race-any: lines 19 and 24, variable partial, shared
// race-any: lines 24 and 24, variable partial, shared
// race-any: lines 24 and 26, variable partial, shared
// repaired: clean
// Column sums of a pitched matrix, with memory from a pool. No barrier separates the steps.
// Repaired: barriers separate the steps.
#include <cstdio>
#include <cuda_runtime.h>

// Each block sums a column of a pitched matrix into one number.
__global__ void column_sums(const float* matrix, size_t pitch, int rows, float* sums)
{
    __shared__ float partial[64];
    float sum = 0;
    for (int row = threadIdx.x; row < rows; row += blockDim.x) {
        sum += *(const float*)((const char*)matrix + row * pitch + blockIdx.x * sizeof(float));
    }
    partial[threadIdx.x] = sum;
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
#ifdef REPAIRED
        __syncthreads();
#endif
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

int main()
{
    const int rows = 100, columns = 20;
    static float matrix[rows][columns];
    for (int i = 0; i < rows * columns; ++i) matrix[i / columns][i % columns] = i % columns;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    float *device = nullptr, *sums = nullptr, result[columns];
    size_t pitch = 0;
    cudaMallocPitch(&device, &pitch, columns * sizeof(float), rows);
    cudaMallocFromPoolAsync(&sums, columns * sizeof(float), pool, stream);
    cudaMemcpy2DAsync(device, pitch, matrix, sizeof matrix[0], sizeof matrix[0], rows, cudaMemcpyHostToDevice, stream);
    column_sums<<<columns, 64, 0, stream>>>(device, pitch, rows, sums);
    cudaMemcpyAsync(result, sums, sizeof result, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(sums, stream);
    cudaStreamSynchronize(stream);
    std::printf("%g\n", result[3]);
    cudaFree(device);
    return 0;
}
