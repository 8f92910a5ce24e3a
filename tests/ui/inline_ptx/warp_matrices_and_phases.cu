// verdict: clean
// nvcc: -arch=sm_90
// Matrix instructions of several types, matrices that are transposed and stored, arrivals at mbarrier objects that
// expect bytes or drop out, and atomic operations on pairs of 16-bit numbers.
#include <cstdio>
#include <cuda_runtime.h>

__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Element (row, column) is 8 * row + column; each lane stores the transposed matrix that it has loaded.
__global__ void transpose(unsigned short* out)
{
    __shared__ alignas(16) unsigned short from[64], to[64];
    const int lane = threadIdx.x;
    from[lane] = lane;
    from[lane + 32] = lane + 32;
    __syncwarp();
    unsigned part;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(part) : "r"(shared_address(&from[lane % 8 * 8])) : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};"
                 : : "r"(shared_address(&to[lane % 8 * 8])), "r"(part) : "memory");
    __syncwarp();
    out[lane] = to[lane];
    out[lane + 32] = to[lane + 32];
}

// All elements of A are 2, those of B are 3, and the accumulators begin with 1.
__global__ void products(float* out)
{
    const int lane = threadIdx.x;
    const unsigned a = __float_as_uint(2.0f), b = __float_as_uint(3.0f);
    float c0 = 1, c1 = 1, c2 = 1, c3 = 1;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};"
                 : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3) : "r"(a), "r"(b));
    float d0 = 1, d1 = 1, d2 = 1, d3 = 1;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%0, %1, %2, %3};"
                 : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(a >> 16 | a), "r"(b >> 16 | b));
    unsigned e0 = 0x3c003c00, e1 = 0x3c003c00;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %2, %2, %2}, {%3, %3}, {%0, %1};"
                 : "+r"(e0), "+r"(e1) : "r"(0x40004000u), "r"(0x42004200u));
    double f0 = 1, f1 = 1;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(f0), "+d"(f1) : "d"(2.0), "d"(3.0));
    float half;
    asm("{ .reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, high; }" : "=f"(half) : "r"(e1));
    out[lane * 4] = c0 + c3;
    out[lane * 4 + 1] = d1 + d2;
    out[lane * 4 + 2] = half;
    out[lane * 4 + 3] = static_cast<float>(f0 + f1);
}

__global__ void phases(unsigned* out)
{
    __shared__ alignas(8) unsigned long long object;
    __shared__ int value;
    const unsigned barrier = shared_address(&object);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 2;" : : "r"(barrier) : "memory");
    __syncthreads();
    unsigned long long state;
    unsigned pending = 0, over = 0;
    if (threadIdx.x == 0) {
        value = 7;
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 16;" : "=l"(state) : "r"(barrier) : "memory");
        asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cta.b64 [%0], 16;" : : "r"(barrier) : "memory");
    } else {
        asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(barrier) : "memory");
        while (over == 0) {
            asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                         : "=r"(over) : "r"(barrier), "l"(state) : "memory");
        }
        asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
        out[0] = value;
        out[1] = pending == 1 || pending == 2;
    }
}

__global__ void sums(unsigned* sum)
{
    asm volatile("red.global.add.noftz.f16x2 [%0], %1;" : : "l"(sum), "r"(0x40003c00u) : "memory");
}

int main()
{
    unsigned short* matrix;
    float* out;
    unsigned *passed, *sum;
    cudaMallocManaged(&matrix, 64 * sizeof *matrix);
    cudaMallocManaged(&out, 128 * sizeof *out);
    cudaMallocManaged(&passed, 2 * sizeof *passed);
    cudaMallocManaged(&sum, sizeof *sum);
    *sum = 0;
    transpose<<<1, 32>>>(matrix);
    products<<<1, 32>>>(out);
    phases<<<1, 2>>>(passed);
    sums<<<1, 8>>>(sum);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) {
        if (matrix[i] != i % 8 * 8 + i / 8) return printf("element %d is %d\n", i, matrix[i]), 1;
    }
    // 1 + k * 6 for each accumulator.
    const float wanted[4] = {2 * 49, 2 * 49, 97, 2 * 25};
    for (int i = 0; i < 128; i++) {
        if (out[i] != wanted[i % 4]) return printf("product %d is %g\n", i, out[i]), 1;
    }
    if (passed[0] != 7 || passed[1] != 1) return printf("passed %u, pending %u\n", passed[0], passed[1]), 1;
    if (*sum != 0x4c004800u) return printf("sums %x\n", *sum), 1;
    return 0;
}
