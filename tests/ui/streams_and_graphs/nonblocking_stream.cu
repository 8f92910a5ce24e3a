// verdict: race
// race: lines 13 and 18, variable data, global
// repaired: clean
// A stream that does not take turns with the default one updates what the default stream has
// set.
// Repaired: the stream takes turns with the default one.
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
#ifdef REPAIRED
    cudaStreamCreateWithFlags(&side, cudaStreamDefault);
#else
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
#endif
    set<<<2, 256>>>(data);
    twice<<<2, 256, 0, side>>>(data);
    cudaDeviceSynchronize();
    cudaStreamDestroy(side);
    cudaFree(data);
    printf("done\n");
    return 0;
}
