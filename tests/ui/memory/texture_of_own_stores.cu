// verdict: race
// race: lines 14 and 19, variable levels, global
// repaired: clean
// Levels in linear memory: each thread stores one, and after a barrier the block looks them up through a
// texture of the same memory. The barrier orders the accesses, but the texture's cache does not see the stores.
// Repaired: the lookup is a launch of its own.
#include <cstdio>
#include <cuda_runtime.h>

const int count = 64;

__device__ void store(unsigned char* levels, const unsigned char* in)
{
    levels[threadIdx.x] = in[threadIdx.x] / 2;
}

__device__ void look_up(cudaTextureObject_t levels, int* out)
{
    out[threadIdx.x] = tex1Dfetch<unsigned char>(levels, (threadIdx.x + 1) % count);
}

#ifdef REPAIRED
__global__ void halve(unsigned char* data, const unsigned char* in)
{
    store(data, in);
}

__global__ void shift(cudaTextureObject_t levels, int* out)
{
    look_up(levels, out);
}
#else
__global__ void halve_and_shift(unsigned char* data, const unsigned char* in, cudaTextureObject_t levels, int* out)
{
    store(data, in);
    __syncthreads();
    look_up(levels, out);
}
#endif

int main()
{
    unsigned char *data, *in;
    int* out;
    cudaMalloc(&data, count);
    cudaMalloc(&in, count);
    cudaMalloc(&out, count * sizeof(int));
    cudaMemset(data, 0, count);
    cudaMemset(in, 100, count);
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = data;
    memory.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
    memory.res.linear.sizeInBytes = count;
    cudaTextureDesc sampling = {};
    cudaTextureObject_t levels = 0;
    cudaCreateTextureObject(&levels, &memory, &sampling, nullptr);
#ifdef REPAIRED
    halve<<<1, count>>>(data, in);
    shift<<<1, count>>>(levels, out);
#else
    halve_and_shift<<<1, count>>>(data, in, levels, out);
#endif
    int results[count];
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int result : results) wrong += result != 50;
    std::printf("%d wrong\n", wrong);
    cudaDestroyTextureObject(levels);
    cudaFree(data);
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
