// verdict: race
// race: lines 18 and 27, variable results, global
// repaired: clean
// Block 0 stores results and publishes them with a fence and a flag; block 1 waits for the flag, fences, and fetches
// the results through a texture. By the memory model the stores come before the fetches, but a fetch takes another
// proxy than the stores: no fence of device code orders the two, and the cache may hold the old results.
// Repaired: block 1 reads with ordinary loads.
#include <cstdio>
#include <cuda_runtime.h>

const int count = 32;

__device__ volatile int ready;

__global__ void produce_and_consume(int* data, cudaTextureObject_t results, int* sum)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        __syncthreads();
        __threadfence();
        if (threadIdx.x == 0) ready = 1;
    } else {
        if (threadIdx.x == 0) while (ready == 0) {}
        __threadfence();
        __syncthreads();
#ifndef REPAIRED
        atomicAdd(sum, tex1Dfetch<int>(results, threadIdx.x));
#else
        atomicAdd(sum, data[threadIdx.x]);
#endif
    }
}

int main()
{
    int *data, *sum;
    cudaMalloc(&data, count * sizeof(int));
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(data, 0, count * sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = data;
    memory.res.linear.desc = cudaCreateChannelDesc<int>();
    memory.res.linear.sizeInBytes = count * sizeof(int);
    cudaTextureDesc sampling = {};
    cudaTextureObject_t results = 0;
    cudaCreateTextureObject(&results, &memory, &sampling, nullptr);
    produce_and_consume<<<2, count>>>(data, results, sum);
    int found = 0;
    cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost);
    std::printf("sum %d\n", found);
    cudaDestroyTextureObject(results);
    cudaFree(data);
    cudaFree(sum);
    return found != count * (count - 1) / 2;
}
