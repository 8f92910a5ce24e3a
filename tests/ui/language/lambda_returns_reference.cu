// verdict: race
// race: lines 20 and 24, variable mirrored, shared
// repaired: clean
// A lambda gives access to a shared array from either end.
// The array is reversed in place without a barrier between the reads and the writes.
// Repaired: all reads come before the barrier, all writes after it.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int threads = 128;

__global__ void reverse(int* data)
{
    __shared__ int s_tile[threads];
    auto mirrored = [&](int i) -> int& { return s_tile[threads - 1 - i]; };
    const int t = threadIdx.x;
    s_tile[t] = data[blockIdx.x * threads + t];
    __syncthreads();
    const int other = mirrored(t);
#ifdef REPAIRED
    __syncthreads();
#endif
    mirrored(threads - 1 - t) = other;
    __syncthreads();
    data[blockIdx.x * threads + t] = s_tile[t];
}

int main()
{
    const int blocks = 2, n = blocks * threads;
    std::vector<int> data(n);
    for (int i = 0; i < n; i++) {
        data[i] = i;
    }
    int* d_data;
    cudaMalloc(&d_data, n * sizeof(int));
    cudaMemcpy(d_data, data.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    reverse<<<blocks, threads>>>(d_data);
    cudaMemcpy(data.data(), d_data, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_data);
    printf("first element: %d\n", data[0]);
    return 0;
}
