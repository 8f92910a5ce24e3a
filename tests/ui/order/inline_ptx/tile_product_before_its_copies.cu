// verdict: race
// race: lines 21 and 36, variable tile_a, shared
// race: lines 24 and 39, variable tile_b, shared
// repaired: clean
// nvcc: -arch=sm_80
// A warp copies two tiles to shared memory by cp.async and multiplies them by ldmatrix and mma. It commits
// the copies, but waits for none: each lane's copier is unordered with the lanes that read the rows.
// Repaired: cp.async.wait_all, and a barrier for the copies of other lanes.
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int rows = 16, columns = 8, inner = 16;

__global__ void multiply(const __half* a, const __half* b, float* c)
{
    __shared__ alignas(16) __half tile_a[rows * inner];
    __shared__ alignas(16) __half tile_b[columns * inner];
    const int lane = threadIdx.x;
    // Lanes copy rows of eight elements.
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 : : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&tile_a[lane * 8]))), "l"(a + lane * 8) : "memory");
    if (lane < 16) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;"
                     : : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&tile_b[lane * 8]))), "l"(b + lane * 8) : "memory");
    }
    asm volatile("cp.async.commit_group;");
#ifdef REPAIRED
    asm volatile("cp.async.wait_all;" : : : "memory");
    __syncwarp();
#endif

    unsigned ra[4], rb[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&tile_a[lane % 16 * inner + lane / 16 * 8]))));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(rb[0]), "=r"(rb[1])
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&tile_b[lane % 8 * inner + lane / 8 % 2 * 8]))));
    float sums[4] = {};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int at = 0; at < 4; at++) {
        c[(lane / 4 + at / 2 * 8) * columns + lane % 4 * 2 + at % 2] = sums[at];
    }
}

int main()
{
    __half *a, *b;
    float* c;
    cudaMallocManaged(&a, rows * inner * sizeof(__half));
    cudaMallocManaged(&b, columns * inner * sizeof(__half));
    cudaMallocManaged(&c, rows * columns * sizeof(float));
    for (int i = 0; i < rows * inner; i++) a[i] = __float2half(static_cast<float>(i % 13 - 6));
    for (int i = 0; i < columns * inner; i++) b[i] = __float2half(static_cast<float>(i % 7 - 3) / 4);
    multiply<<<1, 32>>>(a, b, c);
    cudaDeviceSynchronize();
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            float sum = 0;
            for (int k = 0; k < inner; k++) sum += __half2float(a[row * inner + k]) * __half2float(b[column * inner + k]);
            if (c[row * columns + column] != sum) {
                fprintf(stderr, "wrong element %d, %d: %g instead of %g\n", row, column, c[row * columns + column], sum);
                return 1;
            }
        }
    }
    return 0;
}
