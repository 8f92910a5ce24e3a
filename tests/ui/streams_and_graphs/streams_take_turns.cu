// verdict: clean
// Two streams work on the two halves of an array of bytes whose border is within a word, swap
// their results through memory that is freed and allocated in stream order, and take turns
// by calls that make the host wait, for streams, events, queries and copies.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void mark(unsigned char* bytes, int begin, int end, unsigned char value)
{
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) bytes[i] = value;
}

int main()
{
    const int n = 1001, half = 501;
    unsigned char* bytes;
    cudaMalloc(&bytes, n);
    cudaStream_t left, right;
    cudaEvent_t done;
    cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
    cudaEventCreate(&done);
    mark<<<1, 64, 0, left>>>(bytes, 0, half, 1);
    mark<<<1, 64, 0, right>>>(bytes, half, n, 2);
    cudaStreamSynchronize(left);
    mark<<<1, 64, 0, right>>>(bytes, 0, half, 3);
    cudaEventRecord(done, right);
    cudaEventSynchronize(done);
    mark<<<1, 64, 0, left>>>(bytes, 0, n, 4);
    while (cudaStreamQuery(left) == cudaErrorNotReady) {
    }
    mark<<<1, 64, 0, right>>>(bytes, 0, n, 5);
    std::vector<unsigned char> host(n);
    cudaMemcpyAsync(host.data(), bytes, n, cudaMemcpyDeviceToHost, right);
    cudaStreamSynchronize(right);
    mark<<<1, 64, 0, left>>>(bytes, 0, n, 6);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++) {
        unsigned char *scratch, *other;
        cudaMallocAsync(&scratch, n, left);
        mark<<<1, 64, 0, left>>>(scratch, 0, n, 7);
        cudaFreeAsync(scratch, left);
        cudaMallocAsync(&other, n, right);
        mark<<<1, 64, 0, right>>>(other, 0, n, 8);
        cudaFreeAsync(other, right);
    }
    cudaDeviceSynchronize();
    cudaEventDestroy(done);
    cudaStreamDestroy(left);
    cudaStreamDestroy(right);
    cudaFree(bytes);
    printf("%d\n", host[0]);
    return 0;
}
