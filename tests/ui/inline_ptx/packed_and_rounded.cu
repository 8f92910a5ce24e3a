// verdict: clean
// nvcc: -arch=sm_90
// Integer instructions with parts of registers, and numbers that are rounded or limited: each result is compared
// with the one that the PTX ISA defines.
#include <cstdio>
#include <cuda_runtime.h>

#define EXPECT(value, wanted)                                                                         \
    if ((long long)(value) != (long long)(wanted)) {                                                  \
        printf("line %d: %llx instead of %llx\n", __LINE__, (long long)(value), (long long)(wanted)); \
        *failed = 1;                                                                                  \
    }

__device__ void integers(int* failed)
{
    unsigned u, p;
    int i;
    asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(i) : "r"(0x0002ffff), "r"(0x0403ff05), "r"(1)); EXPECT(i, 1 - 5 + 510)
    asm("dp2a.hi.u32.u32 %0, %1, %2, %3;" : "=r"(u) : "r"(0x0002ffff), "r"(0x04030201), "r"(1)); EXPECT(u, 1 + 65535 * 3 + 8)
    asm("mul24.hi.s32 %0, %1, %2;" : "=r"(i) : "r"(0xffffff), "r"(0x400000)); EXPECT(i, -64)
    asm("mul24.hi.u32 %0, %1, %2;" : "=r"(u) : "r"(0xffffff), "r"(0x400000)); EXPECT(u, 0x3fffffc0)
    asm("mad24.lo.u32 %0, %1, %2, 7;" : "=r"(u) : "r"(0xff000003u), "r"(5)); EXPECT(u, 22)
    asm("mad24.hi.s32 %0, %1, %2, %3;" : "=r"(i) : "r"(0x400000), "r"(0x400000), "r"(1)); EXPECT(i, 0x10000001)
    asm("mad24.hi.sat.s32 %0, %1, %2, %3;" : "=r"(i) : "r"(0x400000), "r"(0x400000), "r"(0x7ffffff0)); EXPECT(i, 0x7fffffff)
    asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(i) : "r"(-0x40000000), "r"(0x40000000), "r"(-0x7fffffff)); EXPECT(i, -0x80000000ll)
    asm("fns.b32 %0, %1, 2, 1;" : "=r"(u) : "r"(0xaaaaaaaau)); EXPECT(u, 3)
    asm("fns.b32 %0, %1, 2, -1;" : "=r"(u) : "r"(0xaaaaaaaau)); EXPECT(u, 1)
    asm("{ .reg .pred p; setp.eq.u32 p, %2, 0; lop3.and.b32 %0|p, %2, %3, %2, 0xc0, p; selp.u32 %1, 1, 0, p; }"
        : "=r"(u), "=r"(p) : "r"(6), "r"(3)); EXPECT(u * 10 + p, 20)
    asm("{ .reg .pred p; setp.eq.u32 p, %1, 0; lop3.or.b32 _|p, %1, %2, %1, 0xc0, p; selp.u32 %0, 1, 0, p; }"
        : "=r"(p) : "r"(6), "r"(3)); EXPECT(p, 1)
    asm("add.u16x2 %0, %1, %2;" : "=r"(u) : "r"(0x0001ffffu), "r"(0x00010001u)); EXPECT(u, 0x00020000)
    asm("min.s16x2 %0, %1, %2;" : "=r"(u) : "r"(0x8000ffffu), "r"(0x00010001u)); EXPECT(u, 0x8000ffff)
    asm("max.u16x2 %0, %1, %2;" : "=r"(u) : "r"(0x80000001u), "r"(0x7fff0003u)); EXPECT(u, 0x80000003)
    asm("min.relu.s16x2 %0, %1, %2;" : "=r"(u) : "r"(0x8000000fu), "r"(0x00010007u)); EXPECT(u, 7)
    asm("max.relu.s32 %0, %1, %2;" : "=r"(u) : "r"(-5), "r"(-7)); EXPECT(u, 0)
    asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(u) : "r"(-40000), "r"(-1)); EXPECT(u, 0x8000ffff)
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(u) : "r"(300), "r"(-1), "r"(0x12345678)); EXPECT(u, 0x5678ff00)
    asm("cvt.pack.sat.s4.s32.b32 %0, %1, %2, %3;" : "=r"(u) : "r"(-9), "r"(9), "r"(0x12345678)); EXPECT(u, 0x34567887)
}

__device__ void directed(int* failed)
{
    unsigned u;
    unsigned short h;
    float f;
    double d;
    asm("div.rz.f32 %0, %1, %2;" : "=f"(f) : "f"(2.0f), "f"(3.0f)); EXPECT(__float_as_uint(f), 0x3f2aaaaa)
    asm("div.rp.f32 %0, %1, %2;" : "=f"(f) : "f"(1.0f), "f"(3.0f)); EXPECT(__float_as_uint(f), 0x3eaaaaab)
    asm("div.rm.f32 %0, %1, %2;" : "=f"(f) : "f"(1.0f), "f"(3.0f)); EXPECT(__float_as_uint(f), 0x3eaaaaaa)
    asm("rcp.rz.f32 %0, %1;" : "=f"(f) : "f"(1.5f)); EXPECT(__float_as_uint(f), 0x3f2aaaaa)
    asm("rcp.rp.f64 %0, %1;" : "=d"(d) : "d"(3.0)); EXPECT(__double_as_longlong(d), 0x3fd5555555555556ll)
    asm("sqrt.rp.f32 %0, %1;" : "=f"(f) : "f"(2.0f)); EXPECT(__float_as_uint(f), 0x3fb504f4)
    asm("sqrt.rz.f32 %0, %1;" : "=f"(f) : "f"(2.0f)); EXPECT(__float_as_uint(f), 0x3fb504f3)
    asm("min.xorsign.abs.f32 %0, %1, %2;" : "=f"(f) : "f"(-3.0f), "f"(5.0f)); EXPECT(f, -3)
    asm("max.xorsign.abs.f32 %0, %1, %2;" : "=f"(f) : "f"(-3.0f), "f"(-5.0f)); EXPECT(f, 5)
    asm("max.NaN.xorsign.abs.f16x2 %0, %1, %2;" : "=r"(u) : "r"(0xbc004000u), "r"(0x7e00c200u)); EXPECT(u, 0x7fffc200)
    asm("cvt.rz.f16.u32 %0, %1;" : "=h"(h) : "r"(4099)); EXPECT(h, 0x6c00)
    asm("cvt.rp.f16.u32 %0, %1;" : "=h"(h) : "r"(4097)); EXPECT(h, 0x6c01)
    asm("cvt.rz.bf16.u64 %0, %1;" : "=h"(h) : "l"(0x7fffffffffffffffll)); EXPECT(h, 0x5eff)
    asm("cvt.rm.f16.f64 %0, %1;" : "=h"(h) : "d"(-1.0001)); EXPECT(h, 0xbc01)
    asm("cvt.rni.f16.f16 %0, %1;" : "=h"(h) : "h"((unsigned short)0x4100)); EXPECT(h, 0x4000)
    asm("cvt.rpi.bf16.bf16 %0, %1;" : "=h"(h) : "h"((unsigned short)0x3f81)); EXPECT(h, 0x4000)
    asm("cvt.rn.satfinite.f16.f32 %0, %1;" : "=h"(h) : "f"(-1e9f)); EXPECT(h, 0xfbff)
    asm("cvt.rn.relu.satfinite.bf16x2.f32 %0, %1, %2;" : "=r"(u) : "f"(-1.0f), "f"(__int_as_float(0x7f800000))); EXPECT(u, 0x7f7f)
    asm("cvt.rn.sat.f16.f32 %0, %1;" : "=h"(h) : "f"(7.0f)); EXPECT(h, 0x3c00)
    asm("cvt.rn.tf32.f32 %0, %1;" : "=r"(u) : "r"(0x3f801000)); EXPECT(u, 0x3f800000)
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(u) : "r"(0x3f801000)); EXPECT(u, 0x3f802000)
    asm("cvt.rz.relu.tf32.f32 %0, %1;" : "=r"(u) : "r"(0xbf801fff)); EXPECT(u, 0)
    asm("cvt.rz.tf32.f32 %0, %1;" : "=r"(u) : "r"(0xbf801fff)); EXPECT(u, 0xbf800000)
    asm("cvt.rna.satfinite.tf32.f32 %0, %1;" : "=r"(u) : "r"(0xff800000)); EXPECT(u, 0xff7fe000)
}

__device__ void comparisons(int* failed)
{
    unsigned u, v;
    unsigned short h;
    float f;
    asm("set.lt.u32.f16x2 %0, %1, %2;" : "=r"(u) : "r"(0x3c004000u), "r"(0x40003c00u)); EXPECT(u, 0xffff0000)
    asm("set.gt.bf16x2.bf16x2 %0, %1, %2;" : "=r"(u) : "r"(0x3f804000u), "r"(0x40003f80u)); EXPECT(u, 0x3f80)
    asm("set.eq.u16.f16 %0, %1, %1;" : "=h"(h) : "h"((unsigned short)0x7e00)); EXPECT(h, 0)
    asm("set.lt.f32.f64 %0, %1, %2;" : "=f"(f) : "d"(1.0), "d"(2.0)); EXPECT(f, 1)
    asm("{ .reg .pred p; setp.eq.u32 p, %1, 1; set.lt.and.u32.s32 %0, %1, %2, !p; }" : "=r"(u) : "r"(-1), "r"(2)); EXPECT(u, 0xffffffff)
    asm("{ .reg .pred p, q; setp.lt.f16x2 p|q, %2, %3; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }"
        : "=r"(u), "=r"(v) : "r"(0x3c004000u), "r"(0x40003c00u)); EXPECT(u * 10 + v, 1)
    asm("{ .reg .pred p, q; setp.gt.or.bf16x2 p|q, %2, %3, p; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q; }"
        : "=r"(u), "=r"(v) : "r"(0x3f804000u), "r"(0x40003f80u)); EXPECT(u * 10 + v, 10)
}

__device__ void branches(int* failed)
{
    for (unsigned i = 0; i < 3; i++) {
        unsigned u = 40;
        asm volatile("{\n"
                     "targets: .branchtargets first, second, last;\n"
                     "  brx.idx %1, targets;\n"
                     "first: mov.u32 %0, 5; bra last;\n"
                     "second: mov.u32 %0, 6;\n"
                     "last: add.u32 %0, %0, %1;\n"
                     "}" : "+r"(u) : "r"(i)); EXPECT(u, i == 0 ? 5 : i == 1 ? 7 : 42)
    }
}

__global__ void compute(int* failed)
{
    if (threadIdx.x != 1) return;
    *failed = 0;
    integers(failed);
    directed(failed);
    comparisons(failed);
    branches(failed);
}

__global__ void exchange(int* failed)
{
    unsigned lanes, all, uniform;
    unsigned short lane = threadIdx.x;
    if (lane == 0) *failed = 0;
    __syncwarp();
    asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, 0xffffffff; selp.u32 %1, 1, 0, p; }"
                 : "=r"(lanes), "=r"(all) : "r"(7));
    if ((lanes != 0xffffffff || all != 1) && lane == 0) *failed = 1;
    asm volatile("{ .reg .pred p; match.all.sync.b64 %0|p, %2, 0xffffffff; selp.u32 %1, 1, 0, p; }"
                 : "=r"(lanes), "=r"(all) : "l"((unsigned long long)(lane == 9)));
    if ((lanes != 0 || all != 0) && lane == 0) *failed = 1;
    const int limits[3] = {0, 32, 9};
    for (int i = 0; i < 3; i++) {
        asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, %2; vote.sync.uni.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }"
                     : "=r"(uniform) : "r"((unsigned)lane), "r"(limits[i]));
        if (uniform != (i < 2) && lane == 0) *failed = 1;
    }
}

int main()
{
    int* failed;
    cudaMallocManaged(&failed, 2 * sizeof *failed);
    failed[0] = failed[1] = 1;
    compute<<<1, 32>>>(failed);
    exchange<<<1, 32>>>(failed + 1);
    cudaDeviceSynchronize();
    return failed[0] + failed[1];
}
