// verdict: race
// race: lines 43 and 75, variable to, shared
// repaired: clean
// nvcc: -arch=compute_90a -code=sm_90a
// A producer warpgroup loads slices of A and B in bulk, a consumer warpgroup multiplies them by wgmma. It leaves
// one product in flight: `wait_group 1` after a product has waited for the one before it. But it releases the
// stage of the product that has just begun.
// Repaired: it releases the stage of the product before.
#include <cstdint>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int depth = 3, steps = 6, rows = 64, columns = 8, step = 16;
constexpr uint32_t bytes_a = rows * step * 2, bytes_b = columns * step * 2;

struct Stage {
    __half a[rows * step];
    __half b[columns * step];
};

__device__ __forceinline__ uint32_t smem(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

// No swizzle: matrices of 8 x 8 numbers, 128 bytes each; first along the sum, then along rows.
__device__ __forceinline__ uint64_t descriptor(const void* p)
{
    constexpr uint64_t leading = 128, stride = 256;
    return (smem(p) & 0x3ffff) >> 4 | leading >> 4 << 16 | stride >> 4 << 32;
}

__device__ __forceinline__ void warpgroup_arrive() { asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory"); }
__device__ __forceinline__ void warpgroup_commit_batch() { asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory"); }
template <int pending>
__device__ __forceinline__ void warpgroup_wait()
{
    static_assert(pending >= 0 && pending <= 7);
    asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(pending) : "memory");
}

template <int scale_a = 1, int scale_b = 1>
__device__ __forceinline__ void wgmma_m64n8k16(float (&d)[4], uint64_t a, uint64_t b, int scale_d)
{
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "setp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
        "{%0, %1, %2, %3}, "
        " %4,"
        " %5,"
        " p,   %7,  %8,  %9,  %10;\n"
        "}\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(a), "l"(b), "r"(scale_d), "n"(scale_a), "n"(scale_b), "n"(0), "n"(0));
}

__device__ __forceinline__ void wait(uint64_t* bar, uint32_t parity)
{
    asm volatile(
        "{\n"
        ".reg .pred P1;\n"
        "LAB_WAIT: \n\t"
        "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n\t"
        "@P1 bra DONE;\n\t"
        "bra LAB_WAIT;\n\t"
        "DONE:\n\t"
        "}" ::"r"(smem(bar)), "r"(parity) : "memory");
}
__device__ __forceinline__ void arrive(uint64_t* bar)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(bar)) : "memory");
}
__device__ __forceinline__ void load(void* to, const void* from, uint32_t bytes, uint64_t* bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(smem(to)), "l"(from), "r"(bytes), "r"(smem(bar)) : "memory");
}

__global__ void multiply(const __half* a, const __half* b, float* c)
{
    __shared__ alignas(128) Stage stages[depth];
    __shared__ alignas(8) uint64_t full[depth], empty[depth];
    if (threadIdx.x == 0) {
        for (int i = 0; i < depth; i++) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&full[i])));
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(smem(&empty[i])));
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\n" : : "n"(40));
        if (threadIdx.x == 0) {
            for (int k = 0; k < steps; k++) {
                const int stage = k % depth;
                wait(&empty[stage], k / depth & 1 ^ 1);
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                             ::"r"(smem(&full[stage])), "n"(bytes_a + bytes_b) : "memory");
                load(stages[stage].a, a + k * rows * step, bytes_a, &full[stage]);
                load(stages[stage].b, b + k * columns * step, bytes_b, &full[stage]);
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" : : "n"(232));
        float d[4];
        for (int k = 0; k < steps; k++) {
            const int stage = k % depth;
            wait(&full[stage], k / depth & 1);
            warpgroup_arrive();
            wgmma_m64n8k16(d, descriptor(stages[stage].a), descriptor(stages[stage].b), k != 0);
            warpgroup_commit_batch();
            warpgroup_wait<1>();
#ifdef REPAIRED
            if (k > 0) arrive(&empty[(k - 1) % depth]);
#else
            arrive(&empty[stage]);
#endif
        }
        warpgroup_wait<0>();
        const int t = threadIdx.x - 128, row = t / 32 * 16 + t % 32 / 4, column = t % 4 * 2;
        for (int i = 0; i < 4; i++) c[(row + i / 2 * 8) * columns + column + i % 2] = d[i];
    }
}

// Where the element is in a slice of `step` columns.
int place(int row, int k) { return (row / 8 * 2 + k / 8) * 64 + row % 8 * 8 + k % 8; }

int main()
{
    __half *a, *b;
    float* c;
    cudaMallocManaged(&a, steps * bytes_a);
    cudaMallocManaged(&b, steps * bytes_b);
    cudaMallocManaged(&c, rows * columns * sizeof *c);
    for (int i = 0; i < steps * rows * step; i++) a[i] = __float2half(static_cast<float>(i % 7 - 3));
    for (int i = 0; i < steps * columns * step; i++) b[i] = __float2half(static_cast<float>(i % 5 - 2));
    multiply<<<1, 256>>>(a, b, c);
    cudaDeviceSynchronize();
#ifdef REPAIRED
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            float sum = 0;
            for (int k = 0; k < steps * step; k++) {
                const int slice = k / step;
                sum += __half2float(a[slice * rows * step + place(row, k % step)]) * __half2float(b[slice * columns * step + place(column, k % step)]);
            }
            if (c[row * columns + column] != sum) return printf("%d, %d: %g instead of %g\n", row, column, c[row * columns + column], sum), 1;
        }
    }
#endif
    return 0;
}
