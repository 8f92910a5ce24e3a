// verdict: race
// race: lines 40 and 40, variable v, global
// race: lines 41 and 41, variable v, global
// race-also: lines 28 and 40, variable v, global
// race-also: lines 28 and 41, variable v, global
// race-also: lines 40 and 41, variable v, global
// repaired: clean
// Two classes with members of the same names, bit-fields in one of them: a template is
// used with both, and which members they are shows only where it is instantiated.
// Two threads share each element.
// Repaired: each thread has an element of its own.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

struct Packed {
    unsigned x : 12;
    unsigned y : 20;
};

struct Wide {
    float x, y;
};

template <class T>
__device__ auto length(const T& v)
{
    return v.x * v.x + v.y * v.y;
}

template <class T>
__global__ void move(T* v, float* out, int n)
{
#ifdef REPAIRED
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#else
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 2;
#endif
    if (i >= n) return;
    v[i].x += 1;
    v[i].y = v[i].x;
#ifdef REPAIRED
    out[i] = length(v[i]);
#else
    out[2 * i + threadIdx.x % 2] = length(v[i]);
#endif
}

template <class T>
float run(int n)
{
    T* v;
    float* out;
    cudaMalloc(&v, n * sizeof(T));
    cudaMalloc(&out, 2 * n * sizeof(float));
    cudaMemset(v, 0, n * sizeof(T));
    move<<<2, n>>>(v, out, n);
    float first = 0;
    cudaMemcpy(&first, out, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(v);
    cudaFree(out);
    return first;
}

int main()
{
    const float packed = run<Packed>(64);
    const float wide = run<Wide>(64);
    printf("lengths: %.0f %.0f\n", packed, wide);
    return 0;
}
