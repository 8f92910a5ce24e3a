// verdict: race
// race-any: lines 45 and 47, variable data, global
// race-any: lines 45 and 48, variable data, global
// race-any: lines 47 and 48, variable data, global
// repaired: clean
// nvcc: -rdc=true
// A kernel that splits a range and launches a kernel for each part. The children lack a
// barrier between their passes.
// Repaired: the barrier is added.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void sort_range(int* data, int count);

// Moves the smaller half of a range in front of the larger one, and leaves each half to
// a kernel of its own.
__global__ void split(int* data, int* scratch, int count)
{
    __shared__ int smaller, larger;
    if (threadIdx.x == 0) {
        smaller = 0;
        larger = 0;
    }
    __syncthreads();
    int pivot = (1 << 10) / 2;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        int value = data[i];
        int place = value < pivot ? atomicAdd(&smaller, 1) : count - 1 - atomicAdd(&larger, 1);
        scratch[place] = value;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += blockDim.x) data[i] = scratch[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        sort_range<<<1, 32>>>(data, smaller);
        if (smaller < count) sort_range<<<1, 32>>>(data + smaller, count - smaller);
    }
}

// Odd-even transposition by one warp.
__global__ void sort_range(int* data, int count)
{
    for (int pass = 0; pass < count; ++pass) {
        for (int i = pass % 2 + 2 * threadIdx.x; i + 1 < count; i += 2 * blockDim.x) {
            int low = data[i], high = data[i + 1];
            if (low > high) {
                data[i] = high;
                data[i + 1] = low;
            }
        }
#ifdef REPAIRED
        __syncwarp();
#endif
    }
}

int main()
{
    const int n = 96;
    int *data, *scratch;
    cudaMallocManaged(&data, n * sizeof(int));
    cudaMalloc(&scratch, n * sizeof(int));
    for (int i = 0; i < n; ++i) data[i] = i * 397 % (1 << 10);
    split<<<1, 64>>>(data, scratch, n);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 1; i < n; ++i) wrong += data[i - 1] > data[i];
    std::printf("%d out of order\n", wrong);
#ifdef REPAIRED
    return wrong;
#else
    return 0;
#endif
}
