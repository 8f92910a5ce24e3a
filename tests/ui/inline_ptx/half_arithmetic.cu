// verdict: clean
// nvcc: -arch=sm_80
// Arithmetic, comparisons and conversions of 16-bit numbers, alone and in pairs.
#include <cstdio>
#include <cuda_runtime.h>

__device__ float wide(unsigned short bits)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}

__device__ unsigned short half_of(float value)
{
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}

__global__ void compute(const float* x, const float* y, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned short a = half_of(x[i]), b = half_of(y[i]);
    unsigned short sum, product, fused, least, bits;
    asm("add.f16 %0, %1, %2;" : "=h"(sum) : "h"(a), "h"(b));
    asm("mul.rn.f16 %0, %1, %2;" : "=h"(product) : "h"(a), "h"(b));
    asm("fma.rn.relu.f16 %0, %1, %2, %3;" : "=h"(fused) : "h"(a), "h"(b), "h"(sum));
    asm("min.f16 %0, %1, %2;" : "=h"(least) : "h"(a), "h"(b));
    unsigned pair, both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(x[i]), "f"(y[i]));
    asm("add.f16x2 %0, %1, %1;" : "=r"(both) : "r"(pair));
    unsigned short low, high;
    asm("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(both));
    int is_less, whole;
    asm("{ .reg .pred p; setp.lt.f16 p, %1, %2; selp.s32 %0, 1, 0, p; }" : "=r"(is_less) : "h"(a), "h"(b));
    asm("cvt.rzi.s32.f16 %0, %1;" : "=r"(whole) : "h"(a));
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x[i]));
    unsigned tf32;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(tf32) : "f"(x[i]));
    float* const to = out + 10 * i;
    to[0] = wide(sum);
    to[1] = wide(product);
    to[2] = wide(fused);
    to[3] = wide(least);
    to[4] = wide(low);
    to[5] = wide(high);
    to[6] = static_cast<float>(is_less);
    to[7] = static_cast<float>(whole);
    to[8] = __uint_as_float(static_cast<unsigned>(bits) << 16);
    to[9] = __uint_as_float(tf32);
}

int main()
{
    // The sums, products and halves of these numbers are exact.
    const int n = 64;
    float *x, *y, *out;
    cudaMallocManaged(&x, n * sizeof(float));
    cudaMallocManaged(&y, n * sizeof(float));
    cudaMallocManaged(&out, 10 * n * sizeof(float));
    for (int i = 0; i < n; i++) {
        x[i] = static_cast<float>(i - 32) / 4;
        y[i] = static_cast<float>(i % 5) / 2;
    }
    compute<<<2, 32>>>(x, y, out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        const float a = x[i], b = y[i], fused = a * b + (a + b);
        const float wanted[10] = {a + b, a * b, fused < 0 ? 0 : fused, a < b ? a : b, 2 * b, 2 * a,
                                  a < b ? 1.0f : 0.0f, static_cast<float>(static_cast<int>(a)), a, a};
        for (int which = 0; which < 10; which++) {
            if (out[10 * i + which] != wanted[which]) {
                fprintf(stderr, "wrong result %d of %g and %g: %g instead of %g\n", which, a, b, out[10 * i + which], wanted[which]);
                return 1;
            }
        }
    }
    return 0;
}
