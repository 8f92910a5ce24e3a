// verdict: clean
// Inline PTX that computes: each result is compared with the one that the PTX ISA defines.
#include <cstdio>
#include <cuda_runtime.h>

#define EXPECT(value, wanted)                                                               \
    if ((long long)(value) != (long long)(wanted)) {                                        \
        printf("line %d: %lld instead of %lld\n", __LINE__, (long long)(value), (long long)(wanted)); \
        *failed = 1;                                                                        \
    }

template <class T>
__device__ T distance(T a, T b)
{
    T r;
    if constexpr (sizeof(T) == 4)
        asm("{ .reg .s32 t; sub.s32 t, %1, %2; abs.s32 %0, t; }" : "=r"(r) : "r"(a), "r"(b));
    else
        asm("sub.s64 %0, %1, %2; abs.s64 %0, %0;" : "=l"(r) : "l"(a), "l"(b));
    return r;
}

__device__ void bits(int* failed)
{
    unsigned u;
    int i;
    long long s;
    asm("bfe.s64 %0, %1, 60, 4;" : "=l"(s) : "l"(-1ll)); EXPECT(s, -1)
    asm("bfe.u32 %0, %1, 28, 8;" : "=r"(u) : "r"(0xa0000001u)); EXPECT(u, 0xa)
    asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(u) : "r"(0xffu), "r"(0u)); EXPECT(u, 0xff0)
    asm("brev.b32 %0, %1;" : "=r"(u) : "r"(1u)); EXPECT(u, 0x80000000u)
    asm("clz.b64 %0, %1;" : "=r"(u) : "l"(0ll)); EXPECT(u, 64)
    asm("popc.b64 %0, %1;" : "=r"(u) : "l"(~0ll)); EXPECT(u, 64)
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(u) : "r"(0x1111aaaau), "r"(0x2222bbbbu)); EXPECT(u, 0xbbbbaaaau)
    // Bytes 0 to 3 of a and 4 to 7 of b.
    const unsigned a = 0x33221100u, b = 0x77665544u;
    asm("prmt.b32.f4e %0, %1, %2, 1;" : "=r"(u) : "r"(a), "r"(b)); EXPECT(u, 0x44332211u)
    asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(u) : "r"(a), "r"(b), "r"(2u)); EXPECT(u, 0x77001122u)
    asm("prmt.b32.rc8 %0, %1, %2, 6;" : "=r"(u) : "r"(a), "r"(b)); EXPECT(u, 0x22222222u)
    asm("prmt.b32.ecl %0, %1, %2, 2;" : "=r"(u) : "r"(a), "r"(b)); EXPECT(u, 0x33222222u)
    asm("prmt.b32.ecr %0, %1, %2, 1;" : "=r"(u) : "r"(a), "r"(b)); EXPECT(u, 0x11111100u)
    asm("prmt.b32.rc16 %0, %1, %2, 3;" : "=r"(u) : "r"(a), "r"(b)); EXPECT(u, 0x33223322u)
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(u) : "r"(0xf0f0u), "r"(0xff00u), "r"(1u)); EXPECT(u, 0xff1)
    asm("shf.r.clamp.b32 %0, %1, %2, 40;" : "=r"(u) : "r"(1u), "r"(7u)); EXPECT(u, 7)
    asm("shf.l.wrap.b32 %0, %1, %2, 33;" : "=r"(u) : "r"(0x80000000u), "r"(1u)); EXPECT(u, 3)
    asm("shl.b32 %0, %1, %2;" : "=r"(u) : "r"(1u), "r"(32u)); EXPECT(u, 0)
    asm("shr.s32 %0, %1, %2;" : "=r"(i) : "r"(-5), "r"(99u)); EXPECT(i, -1)
}

__device__ void numbers(int* failed)
{
    unsigned u;
    int i;
    long long s;
    float f;
    double d;
    EXPECT(distance(3, 5), 2)
    EXPECT(distance(3ll, 5ll), 2)
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(s) : "r"(0xffffffffu), "r"(2u)); EXPECT(s, 0x1fffffffell)
    asm("mul.hi.s32 %0, %1, %2;" : "=r"(i) : "r"(-2), "r"(1)); EXPECT(i, -1)
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(s) : "r"(-5), "r"(6), "l"(1ll)); EXPECT(s, -29)
    asm("{ .reg .pred p; setp.gt.s32 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(u) : "r"(-1), "r"(0)); EXPECT(u, 2)
    asm("{ .reg .pred %%p<2>; setp.gt.u32 %%p1, %1, %2; @!%%p1 mov.u32 %0, 5; @%%p1 mov.u32 %0, 6; }"
        : "=r"(u) : "r"(-1), "r"(0)); EXPECT(u, 6)
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(-2.7f)); EXPECT(i, -2)
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(i) : "f"(2.5f)); EXPECT(i, 2)
    asm("cvt.rn.f32.u32 %0, %1;" : "=f"(f) : "r"(7u)); EXPECT(f * 2, 14)
    asm("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(1.5f)); EXPECT(d * 2, 3)
    asm("cvt.sat.u8.s32 %0, %1;" : "=r"(u) : "r"(300)); EXPECT(u, 255)
    asm("mov.b32 %0, {%1, %2};" : "=r"(u) : "h"((unsigned short)1), "h"((unsigned short)2)); EXPECT(u, 0x20001)
    asm("mov.b64 {_, %0}, %1;" : "=r"(u) : "l"(0x500000001ll)); EXPECT(u, 5)
    asm("mov.b32 %0, 0f3f800000;" : "=r"(u)); EXPECT(u, 0x3f800000)
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(2.f), "f"(3.f), "f"(4.f)); EXPECT(f, 10)
    asm("{ .reg .u32 n; mov.u32 %0, %%tid.x; mov.u32 n, %%ntid.x; add.u32 %0, %0, n; }" : "=r"(u)); EXPECT(u, 97)
    asm("mov.u32 %0, %%lanemask_le;" : "=r"(u)); EXPECT(u, 3)
}

__device__ void memory(int* failed, long long* words)
{
    unsigned u, v;
    int i;
    unsigned short h;
    long long s;
    double d = 2.5;
    asm volatile("st.u8 [%0], %1; st.u16 [%0+2], %1;" : : "l"(words), "r"(0x1280) : "memory");
    asm volatile("ld.s8 %0, [%1];" : "=r"(i) : "l"(words)); EXPECT(i, -128)
    asm volatile("ld.u16 %0, [%1+2];" : "=h"(h) : "l"(words)); EXPECT(h, 0x1280)
    asm volatile("st.f64 [%0], %1;" : : "l"(words), "d"(1.5) : "memory");
    asm volatile("atom.add.f64 %0, [%1], %2;" : "=d"(d) : "l"(words), "d"(d) : "memory"); EXPECT(d * 2, 3)
    asm volatile("atom.exch.b64 %0, [%1], 9;" : "=l"(s) : "l"(words) : "memory"); EXPECT(__longlong_as_double(s), 4)
    asm volatile("atom.global.cas.b64 %0, [%1], 9, 11;" : "=l"(s) : "l"(words) : "memory"); EXPECT(s, 9)
    asm volatile("atom.inc.u32 %0, [%1], 11;" : "=r"(u) : "l"(words) : "memory"); EXPECT(u, 11)
    asm volatile("atom.dec.u32 %0, [%1], 3;" : "=r"(u) : "l"(words) : "memory"); EXPECT(u, 0)
    asm volatile("atom.min.s32 %0, [%1], -3;" : "=r"(i) : "l"(words) : "memory"); EXPECT(i, 3)
    asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(i) : "l"(words) : "memory"); EXPECT(i, -3)
    asm volatile("st.v4.b32 [%0], {%1, %1, 3, %2};" : : "l"(words), "r"(1), "r"(4) : "memory");
    asm volatile("ld.v4.u32 {%0, _, _, %1}, [%2];" : "=r"(u), "=r"(v) : "l"(words)); EXPECT(u * 10 + v, 14)
    asm volatile("prefetch.global.L2 [%0]; nanosleep.u32 20;" : : "l"(words));
}

__global__ void compute(int* failed, long long* words)
{
    if (threadIdx.x != 33) return;
    bits(failed);
    numbers(failed);
    memory(failed, words);
}

int main()
{
    int failed, *d_failed;
    long long* d_words;
    cudaMalloc(&d_failed, sizeof failed);
    cudaMalloc(&d_words, 16);
    cudaMemset(d_failed, 0, sizeof failed);
    compute<<<1, 64>>>(d_failed, d_words);
    cudaMemcpy(&failed, d_failed, sizeof failed, cudaMemcpyDeviceToHost);
    cudaFree(d_failed);
    cudaFree(d_words);
    printf("computed\n");
    return failed;
}
