// verdict: clean
// nvcc: -arch=compute_90a -code=sm_90a
// wgmma of numbers of 8 bits, with an operand in shared memory or in registers and sums of 32 and 16 bits, and of halves
// with a matrix that is transposed: the products are compared with those that the host computes.
#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int rows = 64, columns = 8, inner = 32, step = 16;

// Elements of A and B, from -1 to 3.
__host__ __device__ int left(int row, int k) { return (row * 3 + k * 5 + row * k) % 5 - 1; }
__host__ __device__ int right(int k, int column) { return (k * 7 + column * 2 + k / 3) % 5 - 1; }

__device__ uint8_t e4m3(int value) { return value == -1 ? 0xb8 : value == 0 ? 0 : value == 1 ? 0x38 : value == 2 ? 0x40 : 0x44; }
__device__ uint8_t e5m2(int value) { return value == -1 ? 0xbc : value == 0 ? 0 : value == 1 ? 0x3c : value == 2 ? 0x40 : 0x42; }

// Where the byte `k` of a row is: matrices of 8 rows with 16 bytes, first along the sum.
__device__ int place(int row, int k) { return (row / 8 * 2 + k / 16) * 128 + row % 8 * 16 + k % 16; }

__device__ uint64_t descriptor(const void* p)
{
    constexpr uint64_t leading = 128, stride = 256;
    const auto address = static_cast<uint64_t>(__cvta_generic_to_shared(p));
    return (address & 0x3ffff) >> 4 | leading >> 4 << 16 | stride >> 4 << 32;
}

#define FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define FINISH() asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory")

__device__ void stored(float* out, int warp, int lane, int i, float value)
{
    out[(warp * 16 + lane / 4 + i / 2 * 8) * columns + lane % 4 * 2 + i % 2] = value;
}

// As in a library: whether B is transposed is an operand.
template <int transposes_b>
__device__ void wgmma_m64n8k16(float (&d)[4], const uint32_t (&a)[4], uint64_t b)
{
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "setp.ne.b32 p, %9, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p, %10, %11, %12;\n"
                 "}\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(1), "n"(1), "n"(1), "n"(transposes_b));
}

__global__ void multiply(float* out)
{
    __shared__ alignas(128) uint8_t a[rows * inner];
    __shared__ alignas(128) uint8_t b[2][columns * inner];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    for (int i = t; i < rows * inner; i += 128) a[place(i / inner, i % inner)] = e4m3(left(i / inner, i % inner));
    for (int i = t; i < columns * inner; i += 128) {
        const int column = i / inner, k = i % inner;
        b[0][place(column, k)] = e4m3(right(k, column));
        b[1][place(column, k)] = e5m2(right(k, column));
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();

    // Both operands in shared memory; without the former sums.
    float d[4] = {100, 100, 100, 100};
    FENCE();
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {%0, %1, %2, %3}, %4, %5, p, 1, 1; }"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(descriptor(a)), "l"(descriptor(b[0])), "r"(0));
    FINISH();
    for (int i = 0; i < 4; i++) stored(out, warp, lane, i, d[i]);

    // A in registers; minus the product.
    uint32_t r[4];
    for (int i = 0; i < 4; i++) {
        r[i] = 0;
        for (int byte = 0; byte < 4; byte++) {
            r[i] |= static_cast<uint32_t>(e4m3(left(warp * 16 + lane / 4 + i % 2 * 8, i / 2 * 16 + lane % 4 * 4 + byte))) << 8 * byte;
        }
    }
    for (int i = 0; i < 4; i++) d[i] = 1;
    FENCE();
    asm volatile("{ .reg .pred p; setp.ne.b32 p, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p, %9, 1; }"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(descriptor(b[1])), "n"(-1));
    FINISH();
    for (int i = 0; i < 4; i++) stored(out + rows * columns, warp, lane, i, d[i]);

    // Sums of 16 bits.
    uint32_t h[2] = {0x3c003c00, 0x3c003c00};
    FENCE();
    asm volatile("{ .reg .pred p; setp.ne.b32 p, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k32.f16.e4m3.e4m3 {%0, %1}, %2, %3, p, 1, 1; }"
                 : "+r"(h[0]), "+r"(h[1]) : "l"(descriptor(a)), "l"(descriptor(b[0])));
    FINISH();
    for (int i = 0; i < 4; i++) {
        float value;
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(static_cast<unsigned short>(h[i / 2] >> 16 * (i % 2))));
        stored(out + 2 * rows * columns, warp, lane, i, value);
    }

    // The first 16 elements of the sums as halves; B by rows: matrices of 8 rows with 8 columns.
    __shared__ alignas(128) __half b_by_rows[step * columns];
    for (int i = t; i < step * columns; i += 128) b_by_rows[i] = __int2half_rn(right(i / columns, i % columns));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        const int row = warp * 16 + lane / 4 + i % 2 * 8, k = i / 2 * 8 + lane % 4 * 2;
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r[i]) : "f"(static_cast<float>(left(row, k + 1))), "f"(static_cast<float>(left(row, k))));
    }
    for (int i = 0; i < 4; i++) d[i] = 1;
    FENCE();
    wgmma_m64n8k16<1>(d, r, descriptor(b_by_rows));
    FINISH();
    for (int i = 0; i < 4; i++) stored(out + 3 * rows * columns, warp, lane, i, d[i]);
}

int main()
{
    float* out;
    cudaMallocManaged(&out, 4 * rows * columns * sizeof *out);
    multiply<<<1, 128>>>(out);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < rows * columns; i++) {
        int product = 0, part = 0;
        for (int k = 0; k < inner; k++) {
            product += left(i / columns, k) * right(k, i % columns);
            if (k + 1 == step) part = product;
        }
        const int wanted[] = {product, 1 - product, 1 + product, 1 + part};
        for (int form = 0; form < 4; form++) {
            const float value = out[form * rows * columns + i];
            if (value != static_cast<float>(wanted[form])) wrong++, printf("form %d, %d: %g instead of %d\n", form, i, value, wanted[form]);
        }
    }
    return wrong != 0;
}
