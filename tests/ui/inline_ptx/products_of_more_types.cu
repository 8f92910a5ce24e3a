// verdict: clean
// nvcc: -arch=sm_90
// mma of numbers of 8 and 4 bits and of doubles, and wmma: products of matrices whose elements differ are compared with
// those that the host computes.
#include <cstdio>
#include <cuda_runtime.h>

// Elements of A and B, from -1 to 3.
__host__ __device__ int left(int row, int k) { return (row * 3 + k * 5 + row * k) % 5 - 1; }
__host__ __device__ int right(int k, int column) { return (k * 7 + column * 2 + k / 3) % 5 - 1; }

__device__ unsigned e4m3(int value) { return value == -1 ? 0xb8 : value == 0 ? 0 : value == 1 ? 0x38 : value == 2 ? 0x40 : 0x44; }
__device__ unsigned e5m2(int value) { return value == -1 ? 0xbc : value == 0 ? 0 : value == 1 ? 0x3c : value == 2 ? 0x40 : 0x42; }

// A register with elements of `bits` bits, the first one lowest.
template <class Element>
__device__ unsigned packed(int bits, const Element& element)
{
    unsigned word = 0;
    for (int i = 0; i < 32 / bits; i++) word |= (element(i) & ((1u << bits) - 1)) << bits * i;
    return word;
}

// Register `i` of a fragment (PTX ISA, "Matrix Fragments for mma.m16n8k32"); A with 16 rows alternates r and r + 8.
template <class Code>
__device__ unsigned of_a(int rows, int bits, int i, const Code& code)
{
    const int lane = threadIdx.x, each = 32 / bits, row = lane / 4 + (rows == 16 ? i % 2 * 8 : 0);
    const int first = (rows == 16 ? i / 2 : i) * 4 * each + lane % 4 * each;
    return packed(bits, [&](int at) { return code(left(row, first + at)); });
}
template <class Code>
__device__ unsigned of_b(int bits, int i, const Code& code)
{
    const int lane = threadIdx.x, each = 32 / bits, first = i * 4 * each + lane % 4 * each;
    return packed(bits, [&](int at) { return code(right(first + at, lane / 4)); });
}

// Accumulators that begin with 1: rows g and g + 8, columns 2t and 2t + 1.
template <class T>
__device__ void stored(float* out, const T* c, int rows)
{
    const int lane = threadIdx.x;
    for (int i = 0; i < rows / 4; i++) out[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = static_cast<float>(c[i]);
}

__global__ void small_floats(float* out)
{
    float c[4] = {1, 1, 1, 1}, d[4] = {1, 1, 1, 1};
    unsigned a[4], b[2], h[2] = {0x3c003c00, 0x3c003c00};
    for (int i = 0; i < 4; i++) a[i] = of_a(16, 8, i, e4m3);
    for (int i = 0; i < 2; i++) b[i] = of_b(8, i, e5m2);
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    stored(out, c, 16);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    stored(out + 128, d, 16);
    asm volatile("mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                 : "+r"(h[0]), "+r"(h[1]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    for (int i = 0; i < 4; i++) {
        asm("cvt.f32.f16 %0, %1;" : "=f"(c[i]) : "h"((unsigned short)(h[i / 2] >> 16 * (i % 2))));
    }
    stored(out + 256, c, 16);
}

__global__ void integers(float* out)
{
    const auto code = [](int value) { return static_cast<unsigned>(value); };
    int c[2] = {1, 1}, d[4] = {1, 1, 1, 1}, e[2] = {0x7fffffff, 0x7fffffff};
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(c[0]), "+r"(c[1]) : "r"(of_a(8, 8, 0, code)), "r"(of_b(8, 0, code)));
    stored(out, c, 8);
    unsigned a[4];
    for (int i = 0; i < 4; i++) a[i] = of_a(16, 4, i, code);
    asm volatile("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(of_b(4, 0, code)), "r"(of_b(4, 1, code)));
    stored(out + 64, d, 16);
    asm volatile("mma.sync.aligned.m8n8k16.row.col.satfinite.s32.u8.u8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+r"(e[0]), "+r"(e[1]) : "r"(0x01010101), "r"(0x01010101));
    out[192 + threadIdx.x] = e[0] == 0x7fffffff && e[1] == 0x7fffffff;
}

__global__ void doubles(float* out)
{
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    double a[8], b[4], c[4] = {1, 1, 1, 1}, d[4] = {1, 1, 1, 1};
    for (int i = 0; i < 8; i++) a[i] = left(g + i % 2 * 8, i / 2 * 4 + t);
    for (int i = 0; i < 4; i++) b[i] = right(i * 4 + t, g);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
                 "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
                   "d"(b[1]), "d"(b[2]), "d"(b[3]));
    stored(out, c, 16);
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3]) : "d"(a[0]), "d"(a[1]), "d"(b[0]));
    stored(out + 128, d, 16);
}

// A is stored by rows and B by columns; the product is stored by columns.
__global__ void fragments(const unsigned short* a, const unsigned short* b, const signed char* a8, const signed char* b8, float* out,
                          int* out8)
{
    unsigned x[8], y[8], s[2], r[2];
    float c[8];
    asm volatile("wmma.load.a.sync.aligned.row.m32n8k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], 16;"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]), "=r"(x[4]), "=r"(x[5]), "=r"(x[6]), "=r"(x[7]) : "l"(a) : "memory");
    asm volatile("wmma.load.b.sync.aligned.col.m32n8k16.global.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
                 : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3]), "=r"(y[4]), "=r"(y[5]), "=r"(y[6]), "=r"(y[7]) : "l"(b) : "memory");
    for (int i = 0; i < 8; i++) c[i] = 1;
    asm volatile("wmma.mma.sync.aligned.row.col.m32n8k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11, %12, %13, %14, %15}, "
                 "{%16, %17, %18, %19, %20, %21, %22, %23}, {%0, %1, %2, %3, %4, %5, %6, %7};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7]), "r"(y[0]), "r"(y[1]),
                   "r"(y[2]), "r"(y[3]), "r"(y[4]), "r"(y[5]), "r"(y[6]), "r"(y[7]));
    asm volatile("wmma.store.d.sync.aligned.col.m32n8k16.global.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, 32;"
                 : : "l"(out), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]), "f"(c[4]), "f"(c[5]), "f"(c[6]), "f"(c[7]) : "memory");
    int d[8];
    asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {%0, %1}, [%2], 16;" : "=r"(s[0]), "=r"(s[1]) : "l"(a8) : "memory");
    asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.global.s8 {%0, %1}, [%2], 16;" : "=r"(r[0]), "=r"(r[1]) : "l"(b8) : "memory");
    asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.s32.s8.s8.s32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, "
                 "{%12, %12, %12, %12, %12, %12, %12, %12};"
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]), "=r"(d[4]), "=r"(d[5]), "=r"(d[6]), "=r"(d[7])
                 : "r"(s[0]), "r"(s[1]), "r"(r[0]), "r"(r[1]), "r"(1));
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.global.s32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, 16;"
                 : : "l"(out8), "r"(d[0]), "r"(d[1]), "r"(d[2]), "r"(d[3]), "r"(d[4]), "r"(d[5]), "r"(d[6]), "r"(d[7]) : "memory");
}

int product(int row, int column, int inner)
{
    int sum = 1;
    for (int k = 0; k < inner; k++) sum += left(row, k) * right(k, column);
    return sum;
}

int compare(const char* what, const float* c, int rows, int inner)
{
    for (int i = 0; i < rows * 8; i++) {
        if (c[i] != product(i / 8, i % 8, inner)) return printf("%s %d: %g instead of %d\n", what, i, c[i], product(i / 8, i % 8, inner)), 1;
    }
    return 0;
}

unsigned short half_of(int value) { return value == -1 ? 0xbc00 : value == 0 ? 0 : value == 1 ? 0x3c00 : value == 2 ? 0x4000 : 0x4200; }

int main()
{
    float* out;
    int* out8;
    unsigned short* halves;
    signed char* bytes;
    cudaMallocManaged(&out, 1024 * sizeof *out);
    cudaMallocManaged(&out8, 256 * sizeof *out8);
    cudaMallocManaged(&halves, 1024 * sizeof *halves);
    cudaMallocManaged(&bytes, 512);
    for (int i = 0; i < 512; i++) halves[i] = half_of(left(i / 16, i % 16));
    for (int i = 0; i < 128; i++) halves[512 + i] = half_of(right(i % 16, i / 16));
    for (int i = 0; i < 256; i++) bytes[i] = static_cast<signed char>(left(i / 16, i % 16));
    for (int i = 0; i < 256; i++) bytes[256 + i] = static_cast<signed char>(right(i / 16, i % 16));
    small_floats<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    int wrong = compare("k32", out, 16, 32) + compare("k16", out + 128, 16, 16) + compare("f16", out + 256, 16, 32);
    integers<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    wrong += compare("bytes", out, 8, 16) + compare("4 bits", out + 64, 16, 64);
    for (int i = 0; i < 32; i++) wrong += out[192 + i] != 1;
    doubles<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    wrong += compare("doubles", out, 16, 16) + compare("four", out + 128, 16, 4);
    fragments<<<1, 32>>>(halves, halves + 512, bytes, bytes + 256, out, out8);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; i++) {
        if (out[i] != product(i % 32, i / 32, 16)) wrong++, printf("wmma %d: %g\n", i, out[i]);
        if (out8[i] != product(i / 16, i % 16, 16)) wrong++, printf("bytes %d: %d\n", i, out8[i]);
    }
    return wrong;
}
