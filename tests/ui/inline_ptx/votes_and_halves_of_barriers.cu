// verdict: clean
// nvcc: -arch=sm_90
// Votes at barriers with numbers, mbarrier objects with counts and drops, atomic operations on 16 bytes and on
// vectors, a transposed matrix in registers, and special registers: the results are compared.
#include <cstdio>
#include <cuda_runtime.h>

#define EXPECT(value, wanted)                                                                         \
    if ((long long)(value) != (long long)(wanted)) {                                                  \
        printf("line %d: %llx instead of %llx\n", __LINE__, (long long)(value), (long long)(wanted)); \
        failed[0] = 1;                                                                                \
    }

__device__ unsigned shared_address(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Two pairs of warps meet at barriers of their own, twice.
__global__ void vote(unsigned* out)
{
    const unsigned t = threadIdx.x, number = 1 + t / 64;
    for (unsigned round = 0; round < 2; round++) {
        unsigned count, all, any;
        asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, %2; bar.red.popc.u32 %0, %3, 64, p; }"
                     : "=r"(count) : "r"(t % 64), "r"(10 + number + round), "r"(number) : "memory");
        asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, %2; barrier.cta.red.and.aligned.pred q, %3, 64, p; selp.u32 %0, 1, 0, q; }"
                     : "=r"(all) : "r"(t % 64), "r"(64 - round), "r"(number) : "memory");
        asm volatile("{ .reg .pred p, q; setp.eq.u32 p, %1, %2; bar.cta.red.or.pred q, 5, p; selp.u32 %0, 1, 0, q; }"
                     : "=r"(any) : "r"(t), "r"(100 + 100 * round) : "memory");
        if (t % 64 == 63) {
            unsigned* const mine = out + 3 * (2 * round + t / 64);
            mine[0] = count;
            mine[1] = all;
            mine[2] = any;
        }
    }
}

// Warp 1 arrives for two, and drops out; the next phase has one arrival less.
__global__ void phases(unsigned* out)
{
    __shared__ alignas(8) unsigned long long object;
    __shared__ unsigned value;
    const unsigned barrier = shared_address(&object);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 4;" : : "r"(barrier) : "memory");
    __syncthreads();
    if (threadIdx.x == 32) {
        value = 9;
        asm volatile("mbarrier.arrive.noComplete.release.cta.shared.b64 _, [%0], 2;" : : "r"(barrier) : "memory");
        asm volatile("mbarrier.arrive_drop.expect_tx.release.cta.shared::cta.b64 _, [%0], 8;" : : "r"(barrier) : "memory");
        asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 8;" : : "r"(barrier) : "memory");
    }
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(barrier) : "memory");
        unsigned over = 0;
        while (over == 0) {
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0, 1000; selp.u32 %0, 1, 0, p; }"
                         : "=r"(over) : "r"(barrier) : "memory");
        }
        out[0] = value;
        // Three arrivals complete the next phase.
        asm volatile("mbarrier.arrive.b64 _, [%0], 3;" : : "l"(&object) : "memory");
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 1; selp.u32 %0, 1, 0, p; }"
                     : "=r"(over) : "r"(barrier) : "memory");
        out[1] = over;
    }
}

__global__ void atomics(int* failed, unsigned long long* wide, unsigned* words)
{
    unsigned long long low, high;
    unsigned u, v;
    unsigned short h[8];
    failed[0] = 0;
    asm volatile("{ .reg .b128 a, b; mov.b128 a, {%2, %3}; atom.global.exch.b128 b, [%4], a; mov.b128 {%0, %1}, b; }"
                 : "=l"(low), "=l"(high) : "l"(5ll), "l"(6ll), "l"(wide) : "memory");
    EXPECT(low * 10 + high, 12)
    asm volatile("{ .reg .b128 a, b, c; mov.b128 a, {%2, %3}; mov.b128 b, {%2, %2};\n"
                 "  atom.acquire.gpu.global.cas.b128 c, [%4], b, a; atom.global.cas.b128 c, [%4], a, b; mov.b128 {%0, %1}, c; }"
                 : "=l"(low), "=l"(high) : "l"(5ll), "l"(6ll), "l"(wide) : "memory");
    EXPECT(low * 10 + high, 56)
    EXPECT(wide[0] * 10 + wide[1], 55)
    asm volatile("atom.global.min.noftz.v2.f16x2 {%0, %1}, [%2], {%3, %4};"
                 : "=r"(u), "=r"(v) : "l"(words), "r"(0x40004000u), "r"(0xbc007e00u) : "memory");
    EXPECT(u, 0x3c004200) EXPECT(words[0], 0x3c004000) EXPECT(words[1], 0xbc003c00)
    asm volatile("red.global.max.noftz.v2.bf16 [%0], {%1, %2};"
                 : : "l"(words + 2), "h"((unsigned short)0x4000), "h"((unsigned short)0x3f80) : "memory");
    EXPECT(words[2], 0x40004000)
    asm volatile("atom.global.add.noftz.v8.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], {%9, %9, %9, %9, %9, %9, %9, %10};"
                 : "=h"(h[0]), "=h"(h[1]), "=h"(h[2]), "=h"(h[3]), "=h"(h[4]), "=h"(h[5]), "=h"(h[6]), "=h"(h[7])
                 : "l"(words + 4), "h"((unsigned short)0), "h"((unsigned short)0x3c00) : "memory");
    EXPECT(words[7], 0x3c000000)
    asm volatile("discard.global.L2 [%0], 128;" : : "l"(words + 32) : "memory");
    asm volatile("{ .reg .b64 p; createpolicy.range.global.L2::evict_last.L2::evict_first.b64 p, [%1], 128, 128;\n"
                 "  ld.global.L2::cache_hint.L2::256B.u32 %0, [%1], p; }" : "=r"(u) : "l"(words)); EXPECT(u, 0x3c004000)
    asm("mov.u32 %0, %%envreg3; mov.u32 %1, %%reserved_smem_offset_begin;" : "=r"(u), "=r"(v)); EXPECT(u & v, 0)
}

// Element (row, column) is 8 * row + column.
__global__ void transpose(unsigned* out)
{
    const unsigned lane = threadIdx.x, first = lane / 4 * 8 + lane % 4 * 2;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(out[lane]) : "r"(first | (first + 1) << 16));
}

int main()
{
    int* failed;
    unsigned *votes, *passed, *words, *matrix;
    unsigned long long* wide;
    cudaMallocManaged(&failed, sizeof *failed);
    cudaMallocManaged(&votes, 12 * sizeof *votes);
    cudaMallocManaged(&passed, 2 * sizeof *passed);
    cudaMallocManaged(&words, 256);
    cudaMallocManaged(&matrix, 128);
    cudaMallocManaged(&wide, 16);
    failed[0] = 1;
    wide[0] = 1, wide[1] = 2;
    for (int i = 0; i < 64; i++) words[i] = 0;
    words[0] = 0x3c004200, words[1] = 0x40003c00, words[2] = 0x40003f80 ^ 0x7f80;
    vote<<<1, 128>>>(votes);
    phases<<<1, 64>>>(passed);
    atomics<<<1, 1>>>(failed, wide, words);
    transpose<<<1, 32>>>(matrix);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < 4; i++) {
        const unsigned number = 1 + i % 2, round = i / 2;
        if (votes[3 * i] != 10 + number + round || votes[3 * i + 1] != (round == 0) || votes[3 * i + 2] != (round == 0)) {
            return printf("votes %u: %u %u %u\n", i, votes[3 * i], votes[3 * i + 1], votes[3 * i + 2]), 1;
        }
    }
    if (passed[0] != 9 || passed[1] != 1) return printf("passed %u %u\n", passed[0], passed[1]), 1;
    for (unsigned lane = 0; lane < 32; lane++) {
        const unsigned wanted = lane % 4 * 16 + lane / 4;
        if (matrix[lane] != (wanted | (wanted + 8) << 16)) return printf("lane %u: %x\n", lane, matrix[lane]), 1;
    }
    return failed[0];
}
