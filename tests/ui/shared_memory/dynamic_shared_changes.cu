// verdict: clean
// Launches with dynamic shared memory, without any, and with it again.
#include <cuda_runtime.h>

__global__ void reverse(int* data)
{
    extern __shared__ int s[];
    const int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    data[t] = s[blockDim.x - 1 - t];
}

__global__ void increment(int* data) { ++data[threadIdx.x]; }

int main()
{
    const int n = 128;
    int* data;
    cudaMalloc(&data, n * sizeof(int));
    cudaMemset(data, 0, n * sizeof(int));
    for (int threads = 32; threads <= n; threads *= 2) {
        increment<<<1, threads>>>(data);
        reverse<<<1, threads, threads * sizeof(int)>>>(data);
    }
    cudaDeviceSynchronize();
    return cudaGetLastError() != cudaSuccess;
}
