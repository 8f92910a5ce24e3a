// verdict: race
// race: lines 18 and 18, variable number, shared
// race-also: lines 18 and 49, variable s_count, shared
// repaired: clean
// Functions are called through pointers and variables. One takes a number by value, which
// reads it before all have counted, and one by reference, which counts without an atomic
// operation.
// Repaired: the first reads after a barrier, and the second counts by an atomic operation.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__device__ void count(int& number)
{
#ifdef REPAIRED
    atomicAdd(&number, 1);
#else
    number += 1;
#endif
}

__device__ float half_of(int number) { return 0.5f * number; }

template <typename F>
__device__ void call(F function, int& number) { function(number); }

struct Counting {
    void (*function)(int&);
    __device__ void operator()(int& number) const { function(number); }
};

__global__ void count_all(const float* in, float* out, int n)
{
    __shared__ int s_count[3];
    const int t = threadIdx.x;
    void (*counter)(int&) = count;
    float (*half)(int) = half_of;
    if (t == 0) {
        s_count[0] = s_count[1] = s_count[2] = 0;
    }
    __syncthreads();
    counter(s_count[0]);
    (*counter)(s_count[0]);
    call(count, s_count[1]);
    call(Counting{count}, s_count[2]);
#ifdef REPAIRED
    __syncthreads();
#endif
    out[t] = half(s_count[t % 3]) + in[t];
}

int main()
{
    const int n = 256;
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemset(d_in, 0, n * sizeof(float));
    cudaMemset(d_out, 0, n * sizeof(float));
    count_all<<<1, n>>>(d_in, d_out, n);
    std::vector<float> out(n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("first value: %.0f\n", out[0]);
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
