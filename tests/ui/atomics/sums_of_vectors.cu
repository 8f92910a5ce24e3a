// verdict: race
// race: lines 15 and 22, variable sums, global
// repaired: clean
// Adds vectors to sums, and single elements to the same sums. Addition is atomic for each element of a vector, so
// the two kinds of updates do not race. One block reads an element beside them.
// Repaired: the next kernel reads it.
// nvcc: -arch=sm_90
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void add(float2* sums, __half2* halves, float* out)
{
    if (blockIdx.x % 3 == 0) {
        atomicAdd(&sums[1], make_float2(1, 2));
        atomicAdd(halves, __floats2half2_rn(1, 2));
    } else if (blockIdx.x % 3 == 1) {
        atomicAdd((__half*)halves + 1, __float2half(1));
        float* element = &sums[1].y;
        atomicAdd(element, 1.0f);
    } else {
        out[threadIdx.x] = sums[1].x;
    }
}

__global__ void read(const float2* sums, float* out)
{
    out[0] = sums[1].y;
}

int main()
{
    float2* sums;
    __half2* halves;
    float *out, result;
    cudaMalloc(&sums, 2 * sizeof(float2));
    cudaMalloc(&halves, sizeof(__half2));
    cudaMalloc(&out, 32 * sizeof(float));
    cudaMemset(sums, 0, 2 * sizeof(float2));
    cudaMemset(halves, 0, sizeof(__half2));
#ifdef REPAIRED
    add<<<2, 32>>>(sums, halves, out);
#else
    add<<<3, 32>>>(sums, halves, out);
#endif
    read<<<1, 1>>>(sums, out);
    __half half_sums[2];
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaMemcpy(half_sums, halves, sizeof half_sums, cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", result, __half2float(half_sums[0]), __half2float(half_sums[1]));
    return result == 96 && __half2float(half_sums[0]) == 32 && __half2float(half_sums[1]) == 96 ? 0 : 1;
}
