// verdict: clean
// nvcc: --expt-relaxed-constexpr
// Names of the C library and of the C++ library that nvcc's own headers bring, so that a program needs no include
// for them. Its releases differ in printf and assert.
#include <cassert>
#include <cstdio>

// NVIDIA's samples define checkCudaErrors only if they see these.
#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__) || !defined(__VECTOR_TYPES_H__)
#error "not defined"
#endif

struct Range {
    int least, greatest;
};

__host__ __device__ int larger(int a, int b) { return std::max(a, b); }

__global__ void bounds(const int* in, Range* out, int n)
{
    __shared__ Range part[32];
    assert(blockDim.x == 32);
    const int t = threadIdx.x;
    Range own = {INT_MAX, INT_MIN};
    for (int i = t; i < n; i += 32) {
        own.least = std::min(own.least, in[i]);
        own.greatest = larger(own.greatest, in[i]);
    }
    part[t] = own;
    __syncwarp();
    if (t == 0) {
        for (int i = 1; i < 32; i++) {
            own.least = std::min(own.least, part[i].least);
            own.greatest = larger(own.greatest, part[i].greatest);
        }
        if (std::numeric_limits<int>::max() < own.least || isnan(sqrtf(fabsf(1.0f)))) printf("impossible\n");
        memcpy(out, &own, sizeof own);
    }
}

int main()
{
    constexpr size_t n = 100;
    int* in = static_cast<int*>(malloc(n * sizeof(int)));
    std::fill(in, in + n, 7);
    std::pair<int, int> expected = std::make_pair(-3, 42);
    in[17] = expected.second;
    in[18] = expected.first;
    std::swap(in[17], in[60]);
    int* d_in;
    Range* d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, sizeof(Range));
    cudaMemcpy(d_in, in, n * sizeof(int), cudaMemcpyHostToDevice);
    bounds<<<1, 32>>>(d_in, d_out, static_cast<int>(n));
    Range result;
    memset(&result, 0, sizeof result);
    cudaMemcpy(&result, d_out, sizeof result, cudaMemcpyDeviceToHost);
    const bool right = std::equal(&result.least, &result.least + 1, &expected.first) && result.greatest == expected.second;
    cudaFree(d_in);
    cudaFree(d_out);
    free(in);
    static_assert(std::is_same<decltype(std::declval<Range>().least), int>::value && CHAR_BIT == 8, "of <type_traits>");
    if (!right || std::pow(2.0, 3) != 8 || strlen("abc") != 3 || std::isinf(1.0f) || abs(-2) != 2) exit(1);
    printf("from %d to %d\n", result.least, result.greatest);
    return EXIT_SUCCESS;
}
