// verdict: race
// race: lines 19 and 34, variable data, global
// repaired: clean
// An algorithm of thrust waits for its own stream, here the default one, but not for the kernel on a
// stream that does not synchronise with it.
// Repaired: the host waits for the kernel.
#include <cstdio>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/transform_reduce.h>

struct Next {
    __host__ __device__ int operator()(int value) const { return value + 1; }
};

__global__ void fill(int* data, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = i % 5;
}

int main()
{
    const int n = 300;
    int* data;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMalloc(&data, n * sizeof(int));
    cudaMemsetAsync(data, 0, n * sizeof(int), stream);
    fill<<<2, 256, 0, stream>>>(data, n);
#ifdef REPAIRED
    cudaStreamSynchronize(stream);
#endif
    const int sum = thrust::transform_reduce(thrust::device, data, data + n, Next(), 0, thrust::plus<int>());
    printf("%d\n", sum);
    return sum == 900 ? 0 : 1;
}
