// verdict: race
// race: lines 37 and 37, variable result, global
// repaired: clean
// Reduction with the operation as a template parameter: a sum and a maximum.
// Every block folds its value into the result with plain accesses.
// Repaired: every block writes its own partial result, and a second launch folds those.
#include <climits>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Sum {
    static constexpr int identity = 0;
    __host__ __device__ int operator()(int a, int b) const { return a + b; }
};

struct Maximum {
    static constexpr int identity = INT_MIN;
    __host__ __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

template <typename Operation>
__global__ void reduce(const int* in, int n, int* result)
{
    const Operation fold{};
    int mine = Operation::identity;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        mine = fold(mine, in[i]);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        mine = fold(mine, __shfl_xor_sync(0xffffffffu, mine, offset));
    }
    if (threadIdx.x == 0) {
#ifdef REPAIRED
        result[blockIdx.x] = mine;
#else
        *result = fold(*result, mine);
#endif
    }
}

template <typename Operation>
int reduce_on_device(const int* d_in, int n)
{
    const int blocks = 8;
    int* d_result;
    int result = Operation::identity;
    cudaMalloc(&d_result, (blocks + 1) * sizeof(int));
    cudaMemcpy(d_result, &result, sizeof(int), cudaMemcpyHostToDevice);
    // One warp a block.
    reduce<Operation><<<blocks, 32>>>(d_in, n, d_result);
#ifdef REPAIRED
    reduce<Operation><<<1, 32>>>(d_result, blocks, d_result + blocks);
    cudaMemcpy(&result, d_result + blocks, sizeof(int), cudaMemcpyDeviceToHost);
#else
    cudaMemcpy(&result, d_result, sizeof(int), cudaMemcpyDeviceToHost);
#endif
    cudaFree(d_result);
    return result;
}

int main()
{
    const int n = 1000;
    std::vector<int> in(n);
#ifdef REPAIRED
    int sum = Sum::identity, maximum = Maximum::identity;
#endif
    for (int i = 0; i < n; i++) {
        in[i] = (i * 43) % 509 - 600;
#ifdef REPAIRED
        sum = Sum()(sum, in[i]);
        maximum = Maximum()(maximum, in[i]);
#endif
    }
    int* d_in;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
#ifdef REPAIRED
    const int device_sum = reduce_on_device<Sum>(d_in, n);
    const int device_maximum = reduce_on_device<Maximum>(d_in, n);
#else
    reduce_on_device<Sum>(d_in, n);
    reduce_on_device<Maximum>(d_in, n);
#endif
    cudaFree(d_in);
#ifdef REPAIRED
    if (device_sum != sum || device_maximum != maximum) {
        fprintf(stderr, "wrong results %d and %d\n", device_sum, device_maximum);
        return 1;
    }
#endif
    printf("reduced %d elements\n", n);
    return 0;
}
