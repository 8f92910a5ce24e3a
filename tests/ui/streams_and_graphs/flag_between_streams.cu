// verdict: possible
// possible: lines 14 and 30, variable data, global
// repaired: clean
// A kernel on one stream publishes its results by a fence and a flag, and a kernel on another stream reads
// them once it has seen the flag. Within a launch this is followed, from launch to launch it is not: the
// race is only a possible one.
// Repaired: an event makes the second stream wait.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void produce(int* data, volatile int* flag)
{
    // Published by the flag.
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        *flag = 1;
    }
}

__global__ void consume(const int* data, volatile int* flag, int* out)
{
    if (threadIdx.x == 0 && *flag == 0) {
        __trap();
    }
    __threadfence();
    __syncthreads();
    // After the flag.
    out[threadIdx.x] = data[threadIdx.x];
}

int main()
{
    const int n = 64;
    int *data, *flag, *out, result[n];
    cudaStream_t first, second;
    cudaEvent_t produced;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&produced);
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&flag, sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
    cudaDeviceSynchronize();
    produce<<<1, n, 0, first>>>(data, flag);
#ifdef REPAIRED
    cudaEventRecord(produced, first);
    cudaStreamWaitEvent(second, produced, 0);
#endif
    consume<<<1, n, 0, second>>>(data, flag, out);
    cudaStreamSynchronize(second);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result[7]);
    return result[7] == 7 ? 0 : 1;
}
