// verdict: race
// race: lines 15 and 34, variable address, shared
// race: lines 15 and 40, variable address, shared
// repaired: clean
// nvcc: -arch=sm_80
// A product of matrices with three stages: cp.async fills two stages ahead, one group for each. When the step k
// is computed, the groups of k and k + 1 may be pending, and `wait_group 2` waits for neither. The copies are
// unordered with the loads of the step.
// Repaired: `wait_group 1` leaves only the next stage's group pending.
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define CP_ASYNC_CG(to, from) \
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(to), "l"(from), "n"(16) : "memory")
#define CP_ASYNC_COMMIT_GROUP() asm volatile("cp.async.commit_group;\n" ::: "memory")
#define CP_ASYNC_WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n) : "memory")

constexpr int stages = 3, rows = 16, columns = 8, step = 16, steps = 6, inner = step * steps;
#ifdef REPAIRED
constexpr int pending = stages - 2;
#else
constexpr int pending = stages - 1;
#endif

__device__ __forceinline__ unsigned smem_u32(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void ldmatrix_x4(unsigned (&r)[4], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");
}

__device__ __forceinline__ void ldmatrix_x2(unsigned (&r)[2], unsigned address)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];\n"
                 : "=r"(r[0]), "=r"(r[1]) : "r"(address) : "memory");
}

__device__ __forceinline__ void mma_m16n8k16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, "
                 "{%8, %9}, "
                 "{%0, %1, %2, %3};\n"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void multiply(const __half* a, const __half* b, float* c)
{
    __shared__ alignas(128) __half tile_a[stages][rows * step];
    __shared__ alignas(128) __half tile_b[stages][2][columns * step];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float sums[4] = {};

    // The first warp copies A; each warp copies its columns of B.
    auto load = [&](int k) {
        const int stage = k % stages, row = lane / 2, half = lane % 2 * 8;
        if (warp == 0) {
            CP_ASYNC_CG(smem_u32(&tile_a[stage][row * step + half]), a + row * inner + k * step + half);
        }
        if (lane < 16) {
            CP_ASYNC_CG(smem_u32(&tile_b[stage][warp][row * step + half]), b + (warp * columns + row) * inner + k * step + half);
        }
    };
    for (int k = 0; k < stages - 1; k++) {
        load(k);
        CP_ASYNC_COMMIT_GROUP();
    }
    for (int k = 0; k < steps; k++) {
        CP_ASYNC_WAIT_GROUP(pending);
        __syncthreads();
        if (k + stages - 1 < steps) load(k + stages - 1);
        // An empty group at the end keeps the count.
        CP_ASYNC_COMMIT_GROUP();
        const int stage = k % stages;
        unsigned ra[4], rb[2];
        ldmatrix_x4(ra, smem_u32(&tile_a[stage][lane % 16 * step + lane / 16 * 8]));
        ldmatrix_x2(rb, smem_u32(&tile_b[stage][warp][lane % 8 * step + lane / 8 % 2 * 8]));
        mma_m16n8k16(sums, ra, rb);
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
    for (int i = 0; i < rows * inner; i++) a[i] = __float2half(static_cast<float>(i % 13 - 6));
    for (int i = 0; i < 2 * columns * inner; i++) b[i] = __float2half(static_cast<float>(i % 7 - 3) / 4);
    multiply<<<1, 64>>>(a, b, c);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < 2 * columns; column++) {
            float sum = 0;
            for (int k = 0; k < inner; k++) sum += __half2float(a[row * inner + k]) * __half2float(b[column * inner + k]);
            wrong += c[row * 2 * columns + column] != sum;
        }
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
