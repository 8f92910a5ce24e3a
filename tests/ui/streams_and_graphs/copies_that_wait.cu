// verdict: clean
// Copies for which the host waits order the work of streams: synchronous ones from and to pinned memory,
// to pageable memory, and those of managed memory. Rows and bytes that two streams do not share are no
// race either.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void increment(int* data, int n)
{
    if (threadIdx.x < n) data[threadIdx.x] += 1;
}

__device__ int symbol[64];

__global__ void read_symbol(int* out)
{
    out[threadIdx.x] = symbol[threadIdx.x];
}

int main()
{
    const int n = 64;
    int *pinned, *data, *managed, pageable[n];
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaMallocHost(&pinned, n * sizeof(int));
    cudaMalloc(&data, n * sizeof(int));
    cudaMallocManaged(&managed, n * sizeof(int));
    for (int i = 0; i < n; ++i) pinned[i] = i;
    cudaMemcpy(data, pinned, n * sizeof(int), cudaMemcpyHostToDevice);
    increment<<<1, n, 0, first>>>(data, n);
    cudaStreamSynchronize(first);
    cudaMemcpy(pageable, data, n * sizeof(int), cudaMemcpyDeviceToHost);
    increment<<<1, n, 0, second>>>(data, n);
    cudaStreamSynchronize(second);
    cudaMemcpy(managed, data, n * sizeof(int), cudaMemcpyDefault);
    increment<<<1, n, 0, first>>>(managed, n);
    cudaDeviceSynchronize();
    cudaMemcpyToSymbolAsync(symbol, pinned, n * sizeof(int), 0, cudaMemcpyHostToDevice, first);
    read_symbol<<<1, n, 0, first>>>(data);
    cudaStreamSynchronize(first);

    // Columns 0 to 3 of the first stream, 4 to 7 of the second one; bytes of one word, too.
    cudaMemcpy2DAsync(data, 32, pinned, 32, 16, 8, cudaMemcpyHostToDevice, first);
    cudaMemcpy2DAsync(data + 4, 32, pinned + 4, 32, 16, 8, cudaMemcpyHostToDevice, second);
    cudaDeviceSynchronize();
    cudaMemsetAsync(data, 1, 2, first);
    cudaMemsetAsync((char*)data + 2, 2, 2, second);
    cudaDeviceSynchronize();
    int word = 0;
    cudaMemcpy(&word, data, sizeof word, cudaMemcpyDeviceToHost);
    printf("%d %d %x\n", pageable[5], managed[5], word);
    return pageable[5] == 6 && managed[5] == 8 && word == 0x02020101 ? 0 : 1;
}
