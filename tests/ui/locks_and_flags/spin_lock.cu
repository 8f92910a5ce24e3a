// verdict: clean
// Adds block results to a sum under a spin lock.
// The lock is atomicCAS, atomicExch and fences.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__device__ void acquire(int* lock)
{
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
}

__device__ void release(int* lock)
{
    __threadfence();
    atomicExch(lock, 0);
}

__global__ void add_locked(const int* in, int* lock, long long* sum)
{
    const int count = __syncthreads_count(in[blockIdx.x * blockDim.x + threadIdx.x] > 0);
    if (threadIdx.x == 0) {
        acquire(lock);
        *sum += count;
        release(lock);
    }
}

int main()
{
    const int blocks = 8, threads = 64, n = blocks * threads;
    std::vector<int> in(n);
    long long expected = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        in[i] = i % 9 - 4;
        expected += in[i] > 0;
    }
    int *d_in, *d_lock;
    long long* d_sum;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_lock, sizeof(int));
    cudaMalloc(&d_sum, sizeof(long long));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_lock, 0, sizeof(int));
    cudaMemset(d_sum, 0, sizeof(long long));
    add_locked<<<blocks, threads>>>(d_in, d_lock, d_sum);
    cudaMemcpy(&sum, d_sum, sizeof(long long), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_lock);
    cudaFree(d_sum);
    if (sum != expected) {
        fprintf(stderr, "%lld instead of %lld\n", sum, expected);
        return 1;
    }
    printf("sum %lld\n", sum);
    return 0;
}
