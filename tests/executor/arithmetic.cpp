//! run -> 0
// Vector types, integer intrinsics, conversions, mathematical functions, raw atomics.
#include <math_constants.h>

#include "check.h"

#include <limits>

bool near(double a, double b) { return std::fabs(a - b) <= 1e-6 * (1 + std::fabs(b)); }

bool close(double a, double b) { return std::fabs(a - b) <= 1e-13 * std::fabs(b); }

void test_vectors() {
  const float4 v = make_float4(1, 2, 3, 4);
  CHECK(v.w == 4 && sizeof(float4) == 16 && alignof(float4) == 16 && alignof(float2) == 8 && sizeof(uchar3) == 3);
  CHECK(alignof(double4_32a) == 32 && alignof(longlong4_16a) == 16 && make_ulong4_32a(1, 2, 3, 4).w == 4);
  CHECK(alignof(double2) == 16 && alignof(longlong4) == 16 && sizeof(int3) == 12 && alignof(short4) == 8);
  const dim3 d(3, 4);
  CHECK(d.x == 3 && d.y == 4 && d.z == 1 && dim3().x == 1);
}

void test_integers() {
  CHECK(__popc(0xf0f0u) == 8 && __popcll(~0ull) == 64 && __clz(1) == 31 && __clz(0) == 32 && __clzll(1) == 63);
  CHECK(__ffs(0) == 0 && __ffs(8) == 4 && __ffsll(1ll << 40) == 41);
  CHECK(__brev(1) == 0x80000000u && __brev(0x12345678u) == 0x1e6a2c48u && __brevll(1) == 1ull << 63);
  CHECK(__byte_perm(0x33221100u, 0x77665544u, 0x5140) == 0x55114400u && __byte_perm(0x80, 0, 0x8888) == 0xffffffffu);
  CHECK(__mulhi(-1, 1) == -1 && __umulhi(0xffffffffu, 2) == 1 && __mul64hi(-1, 1) == -1 && __umul64hi(~0ull, 2) == 1);
  CHECK(__mul24(0xffffff, 1) == -1 && __umul24(0xff000003u, 2) == 6 && __sad(-3, 4, 1) == 8 && __usad(4, 7, 1) == 4);
  CHECK(__funnelshift_l(0x80000000u, 1, 1) == 3 && __funnelshift_r(1, 1, 1) == 0x80000000u && __funnelshift_lc(7, 1, 32) == 7);
  CHECK(__hadd(-3, 2) == -1 && __rhadd(-3, 2) == 0 && __uhadd(~0u, ~0u) == ~0u);
  CHECK(__dp4a(0x01020304, 0x01010101, 5) == 15 && __dp4a(static_cast<int>(0xff000000), 0x01000000, 0) == -1);
  CHECK(__fns(0xb4u, 0, 2) == 4 && __vadd4(0xff010203u, 0x01010101u) == 0x00020304u && __vsadu4(0x01020304u, 0) == 10);
  CHECK(min(3, 5) == 3 && max(3u, 5) == 5u && min(2.0f, 1.0) == 1.0 && max(-1ll, 2ll) == 2 && min(1ul, 2ul) == 1);
}

void test_conversions() {
  CHECK(__float2int_rn(2.5f) == 2 && __float2int_rn(3.5f) == 4 && __float2int_rz(-2.7f) == -2 && __float2int_ru(2.1f) == 3);
  CHECK(__float2int_rd(-2.1f) == -3 && __float2int_rn(1e20f) == 2147483647 && __float2uint_rz(-5.0f) == 0);
  CHECK(__float2int_rn(CUDART_NAN_F) == 0 && __double2ll_rn(-1e300) == std::numeric_limits<long long>::min());
  CHECK(__int2float_rz(16777217) == 16777216.0f && __int2float_ru(16777217) == 16777218.0f && __int2float_rd(-16777217) == -16777218.0f);
  CHECK(__ull2double_rd(~0ull) < 18446744073709551616.0 && __double2float_ru(0.1) >= 0.1 && __double2float_rd(0.1) <= 0.1);
  CHECK(__float_as_int(1.0f) == 0x3f800000 && __int_as_float(0x40000000) == 2.0f && __hiloint2double(0x3ff00000, 0) == 1.0);
  CHECK(__double2hiint(1.0) == 0x3ff00000 && __longlong_as_double(__double_as_longlong(0.3)) == 0.3);
}

void test_functions() {
  CHECK(near(rsqrtf(4.0f), 0.5) && near(__expf(1.0f), M_E) && near(sinpi(0.25), M_SQRT1_2) && cospi(0.5) == 0 && sinpi(1.0) == 0);
  CHECK(near(sinpi(2.75), std::sin(M_PI * 2.75)) && near(cospi(-3.3), std::cos(M_PI * 3.3)) && near(tanpi(0.25), 1));
  CHECK(near(normcdf(normcdfinv(0.3)), 0.3) && near(erfinv(std::erf(0.7)), 0.7) && near(erfcinv(std::erfc(3.0)), 3.0));
  CHECK(near(normcdfinv(1e-12), -7.034483825301131) && near(erfcx(2.0), 0.2553956763105057) && near(exp10f(2.0f), 100));
  CHECK(near(norm3df(1, 2, 2), 3) && near(rhypot(3, 4), 0.2) && near(rcbrt(8.0), 0.5) && __saturatef(7.0f) == 1.0f);
  CHECK(close(cyl_bessel_i0(1.0), 1.2660658777520084) && close(cyl_bessel_i1(-2.5), -2.5167162452886984) && cyl_bessel_i1(0.0) == 0);
  CHECK(close(erfcx(25.0), 0.022549572432641361) && close(erfcx(10.0), 0.056140992743822588) && close(erfcx(1e10), 5.6418958354775629e-11));
  CHECK(close(erfinv(1e-10), 8.8622692545275801e-11) && close(erfinv(-0.3), -0.2724627147267544) && close(erfinv(0.9), 1.1630871536766741));
  const double huge[] = {1e200, 1e200};
  const float sides[] = {3, 4};
  CHECK(close(norm(2, huge), 1.4142135623730951e200) && normf(2, sides) == 5 && rnormf(2, sides) == 0.2f && norm3df(1e30f, 0, 0) == 1e30f);
  CHECK(close(rnorm4d(1, 1, 1, 1), 0.5) && __fdividef(1, 0x1p127f) == 0 && sizeof(j0(1.0f)) == sizeof(float) && __frsqrt_rn(16) == 0.25f);
  float s, c;
  sincosf(0.5f, &s, &c);
  CHECK(near(s, std::sin(0.5f)) && near(c, std::cos(0.5f)));
  sincospif(0.5f, &s, &c);
  CHECK(s == 1.0f && c == 0.0f && __fdividef(6.0f, 3.0f) == 2.0f && __fmaf_rn(2, 3, 4) == 10.0f && __ddiv_rn(1, 4) == 0.25);
  CHECK(CUDART_INF_F > 1e38f && CUDART_NAN_F != CUDART_NAN_F && near(CUDART_PI, M_PI));
  const float value = 3;
  CHECK(__ldg(&value) == 3 && __ldcg(&value) == 3);
}

void test_atomics() {
  using namespace hirace::cpu::raw;
  int i = 5;
  unsigned u = 5;
  unsigned long long ull = 5;
  long long ll = -5;
  float f = 1;
  double d = 1;
  unsigned short us = 3;
  CHECK(atomicAdd(&i, 2) == 5 && atomicSub(&i, 3) == 7 && i == 4 && atomicMax(&i, 9) == 4 && atomicMin(&i, -1) == 9 && i == -1);
  CHECK(atomicAdd(&u, 2u) == 5 && atomicInc(&u, 7u) == 7 && u == 0 && atomicDec(&u, 3u) == 0 && u == 3 && atomicDec(&u, 3u) == 3 && u == 2);
  CHECK(atomicAnd(&u, 3u) == 2 && atomicOr(&u, 8u) == 2 && atomicXor(&u, 2u) == 10 && u == 8);
  CHECK(atomicAdd(&ull, 1ull) == 5 && atomicCAS(&ull, 6ull, 9ull) == 6 && atomicExch(&ull, 1ull) == 9 && ull == 1);
  CHECK(atomicMin(&ll, -7ll) == -5 && ll == -7 && atomicMax(&ll, 0ll) == -7);
  CHECK(atomicAdd(&f, 0.5f) == 1 && f == 1.5f && atomicExch(&f, 2.0f) == 1.5f && atomicAdd(&d, 0.25) == 1 && d == 1.25);
  CHECK(atomicCAS(&us, static_cast<unsigned short>(3), static_cast<unsigned short>(4)) == 3 && us == 4);
  CHECK(atomicCAS(&i, 0, 1) == -1 && i == -1);
}

#if __CUDA_ARCH__ < 900 || !defined(__CUDACC__) || !defined(__NVCC__)
#error "code for devices is compiled"
#endif

int main() {
  test_vectors();
  test_integers();
  test_conversions();
  test_functions();
  test_atomics();
}
