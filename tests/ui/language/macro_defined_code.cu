// verdict: race
// race: lines 43 and 44, variable s_right, shared
// repaired: clean
// Macros declare the shared arrays and define a device function and the kernel. A
// thread reads what its neighbour writes, before any barrier.
// Repaired: the read comes after a barrier.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define TILE(type, name, n) __shared__ type name[n]

#define RAISE(name, by)                       \
    __device__ void name(float& number)       \
    {                                         \
        number += by;                         \
    }

RAISE(raise_by_two, 2.0f)

#ifdef REPAIRED
#define ROTATE(name, type)                                                  \
    __global__ void name(const type* in, type* out, int n)                  \
    {                                                                       \
        const int t = threadIdx.x;                                          \
        TILE(type, s_left, 256);                                            \
        TILE(type, s_right, 256);                                           \
        s_left[t] = in[t];                                                  \
        raise_by_two(s_left[t]);                                            \
        s_right[t] = s_left[t] + 1.0f;                                      \
        __syncthreads();                                                    \
        out[t] = s_right[(t + 1) % n] - s_left[t];                          \
    }
#else
#define ROTATE(name, type)                                                  \
    __global__ void name(const type* in, type* out, int n)                  \
    {                                                                       \
        const int t = threadIdx.x;                                          \
        TILE(type, s_left, 256);                                            \
        TILE(type, s_right, 256);                                           \
        s_left[t] = in[t];                                                  \
        raise_by_two(s_left[t]);                                            \
        s_right[t] = s_left[t] + 1.0f;                                      \
        out[t] = s_right[(t + 1) % n] - s_left[t];                          \
    }
#endif

ROTATE(rotate, float)

int main()
{
    const int n = 256;
    float *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(float));
    cudaMalloc(&d_out, n * sizeof(float));
    cudaMemset(d_in, 0, n * sizeof(float));
    cudaMemset(d_out, 0, n * sizeof(float));
    rotate<<<1, n>>>(d_in, d_out, n);
    std::vector<float> out(n);
    cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("first value: %.0f\n", out[0]);
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
