// verdict: clean
// A stream takes turns with the default one, and updates what that has set.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void set(int* data)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = i;
}

__global__ void twice(int* data)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

int main()
{
    const int n = 512;
    int* data;
    cudaMalloc(&data, n * sizeof(int));
    cudaStream_t side;
    cudaStreamCreateWithFlags(&side, cudaStreamDefault);
    set<<<2, 256>>>(data);
    twice<<<2, 256, 0, side>>>(data);
    cudaDeviceSynchronize();
    cudaStreamDestroy(side);
    cudaFree(data);
    printf("done\n");
    return 0;
}
