// verdict: race
// race: lines 26 and 29, variable to, shared
// repaired: clean
// nvcc: -arch=sm_80
// Two warps multiply with double buffering: while a step is computed from one buffer, the next tile waits in
// registers, and then it is stored to the other buffer, with its pieces exchanged by XOR against bank conflicts.
// The buffer is toggled after the store, so the store goes to the buffer that the other warp may still load
// from.
// Repaired: it is toggled before the store. One barrier for a step suffices then.
#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int rows = 16, columns = 8, step = 16, steps = 4, inner = step * steps;

// A row has two pieces of eight numbers.
__device__ __forceinline__ int swizzled(int row, int piece) { return row * step + (piece ^ row >> 2 & 1) * 8; }
__device__ __forceinline__ uint32_t smem(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

#define LDG128(value, from)                                             \
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"             \
                 : "=r"(value[0]), "=r"(value[1]), "=r"(value[2]), "=r"(value[3]) : "l"(from))
#define STS128(to, value)                                               \
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};"             \
                 : : "r"(to), "r"(value[0]), "r"(value[1]), "r"(value[2]), "r"(value[3]) : "memory")
#define LDSM_X4(value, from)                                            \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"(value[0]), "=r"(value[1]), "=r"(value[2]), "=r"(value[3]) : "r"(from) : "memory")

__global__ void multiply(const __half* a, const __half* b, float* c)
{
    __shared__ alignas(128) __half tile[2][rows * step];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, row = lane / 2, piece = lane % 2;
    const bool loads = warp == 0;
    const int to = swizzled(row, piece), from = swizzled(lane % 16, lane / 16);
    float sums[4] = {};
    uint32_t next[4], ra[4], rb[2];
    int buffer = 0;
    if (loads) {
        LDG128(next, a + row * inner + piece * 8);
        STS128(smem(&tile[0][to]), next);
    }
    asm volatile("bar.sync 0;" : : : "memory");
    for (int k = 0; k < steps; k++) {
        const bool more = loads && k + 1 < steps;
        if (more) LDG128(next, a + row * inner + (k + 1) * step + piece * 8);
        LDSM_X4(ra, smem(&tile[buffer][from]));
        const __half* const columns_of_b = b + (warp * columns + lane / 4) * inner + k * step + lane % 4 * 2;
        asm("ld.global.nc.b32 %0, [%2];\n\tld.global.nc.b32 %1, [%2+16];" : "=r"(rb[0]), "=r"(rb[1]) : "l"(columns_of_b));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
#ifdef REPAIRED
        buffer ^= 1;
        if (more) STS128(smem(&tile[buffer][to]), next);
#else
        if (more) STS128(smem(&tile[buffer][to]), next);
        buffer ^= 1;
#endif
        asm volatile("bar.sync 0;" : : : "memory");
    }
    for (int i = 0; i < 4; i++) {
        c[(lane / 4 + i / 2 * 8) * 2 * columns + warp * columns + lane % 4 * 2 + i % 2] = sums[i];
    }
}

int main()
{
    __half *a, *b;
    float* c;
    cudaMallocManaged(&a, rows * inner * sizeof *a);
    cudaMallocManaged(&b, 2 * columns * inner * sizeof *b);
    cudaMallocManaged(&c, rows * 2 * columns * sizeof *c);
    for (int i = 0; i < rows * inner; i++) a[i] = __float2half(static_cast<float>(i % 9 - 4));
    for (int i = 0; i < 2 * columns * inner; i++) b[i] = __float2half(static_cast<float>(i % 5 - 2));
    multiply<<<1, 64>>>(a, b, c);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < 2 * columns; column++) {
            float sum = 0;
            for (int k = 0; k < inner; k++) sum += __half2float(a[row * inner + k]) * __half2float(b[column * inner + k]);
            if (c[row * 2 * columns + column] != sum) return printf("%d, %d: %g\n", row, column, c[row * 2 * columns + column]), 1;
        }
    }
#endif
    return 0;
}
