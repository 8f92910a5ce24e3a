// verdict: race
// race: lines 14 and 20, variable data, global
// repaired: clean
// A pipeline of two streams: the event that the second one waits for is recorded before the
// launch that it should wait for. Both streams read a table, and count by atomics.
// Repaired: the event is recorded after that launch.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale(float* data, const float* table, int* count)
{
    const int i = threadIdx.x;
    const float factor = table[i % 4];
    data[i] = factor * i;
    atomicAdd(count, 1);
}

__global__ void shift(float* data, const float* table, int* count)
{
    data[threadIdx.x] += table[threadIdx.x % 4];
    atomicAdd(count, 1);
}

int main()
{
    const int n = 128;
    float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    float *data, *d_table;
    int* count;
    cudaMalloc(&data, n * sizeof(float));
    cudaMalloc(&d_table, sizeof table);
    cudaMalloc(&count, sizeof(int));
    cudaMemset(data, 0, n * sizeof(float));
    cudaMemset(count, 0, sizeof(int));
    cudaMemcpy(d_table, table, sizeof table, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    cudaStream_t first, second;
    cudaEvent_t scaled;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&scaled);
#ifndef REPAIRED
    cudaEventRecord(scaled, first);
#endif
    scale<<<1, n, 0, first>>>(data, d_table, count);
#ifdef REPAIRED
    cudaEventRecord(scaled, first);
#endif
    cudaStreamWaitEvent(second, scaled, 0);
    shift<<<1, n, 0, second>>>(data, d_table, count);
    cudaDeviceSynchronize();
    cudaEventDestroy(scaled);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(data);
    cudaFree(d_table);
    cudaFree(count);
    printf("done\n");
    return 0;
}
