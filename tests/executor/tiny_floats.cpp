//! run -> 0
// Numbers of 8, 6 and 4 bits, compared with their definition: the value of each code as a sum of powers of two,
// and the nearest code of a number by comparison with all of them.
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cmath>
#include <limits>
#include <random>

#include "check.h"

// What a format's specification says.
struct Definition {
  int exponent_bits, fraction_bits, bias;
  unsigned infinity;  // its code, or one that no number has
  unsigned largest;   // the code of the greatest number
};
constexpr unsigned none = 0xfff;
constexpr Definition e4m3{4, 3, 7, none, 0x7e}, e5m2{5, 2, 15, 0x7c, 0x7b};
constexpr Definition e2m3{2, 3, 1, none, 0x1f}, e3m2{3, 2, 3, none, 0x1f}, e2m1{2, 1, 1, none, 0x7};

unsigned sign_of(const Definition& d) { return 1u << (d.exponent_bits + d.fraction_bits); }

double value_of(const Definition& d, unsigned code) {
  const unsigned magnitude = code & (sign_of(d) - 1);
  if (magnitude > d.largest) return magnitude == d.infinity ? (code == magnitude ? INFINITY : -INFINITY) : NAN;
  const int exponent = static_cast<int>(magnitude >> d.fraction_bits);
  double value = exponent == 0 ? 0 : 1;
  for (int bit = 1; bit <= d.fraction_bits; ++bit) {
    if ((magnitude >> (d.fraction_bits - bit) & 1) != 0) value += std::ldexp(1.0, -bit);
  }
  value = std::ldexp(value, (exponent == 0 ? 1 : exponent) - d.bias);
  return code == magnitude ? value : -value;
}

// What lies beyond the greatest number, if it is not saturated: half of the last step still rounds down.
unsigned nearest(const Definition& d, double x, bool saturate) {
  const unsigned sign = std::signbit(x) ? sign_of(d) : 0;
  const unsigned not_a_number = d.infinity == none ? sign_of(d) - 1 : 0x7f;
  const unsigned beyond = d.infinity != none ? d.infinity : not_a_number;
  if (x != x) return not_a_number;
  x = std::fmin(std::fabs(x), 1e6);
  unsigned best = 0;
  for (unsigned code = 1; code <= d.largest; ++code) {
    const double nearer = std::fabs(value_of(d, code) - x) - std::fabs(value_of(d, best) - x);
    if (nearer < 0 || (nearer == 0 && code % 2 == 0)) best = code;
  }
  const double top = value_of(d, d.largest), step = top - value_of(d, d.largest - 1);
  const bool even = d.largest % 2 == 0;
  if (!saturate && (x > top + step / 2 || (x == top + step / 2 && !even))) return sign | beyond;
  return sign | best;
}

template <class T, class F>
bool same(T a, F b) {
  return a == b || (a != a && b != b);
}

template <class Number>
void test_codes(const Definition& d) {
  for (unsigned code = 0; code < 2 * sign_of(d); ++code) {
    Number number;
    number.__x = static_cast<unsigned char>(code);
    const double value = value_of(d, code);
    CHECK(same(float(number), value) && same(double(number), value) && same(float(__half(number)), value));
    CHECK(same(float(__nv_bfloat16(number)), value) && bool(number) == (value != 0));
    const double whole = std::trunc(std::fmin(std::fmax(value, -1e6), 1e6));
    if (value == value && std::fabs(value) < 30000) {
      CHECK(int(number) == whole && short(number) == whole && static_cast<long long>(number) == whole);
      CHECK(unsigned(number) == std::fmax(whole, 0) && static_cast<unsigned char>(number) == std::fmin(std::fmax(whole, 0), 255));
      CHECK(static_cast<signed char>(number) == std::fmin(std::fmax(whole, -128), 127));
    }
  }
}

template <class Number>
void test_rounding(const Definition& d) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const __half half = __half_raw{static_cast<unsigned short>(bits)};
    CHECK(Number(half).__x == nearest(d, float(half), true));
    const __nv_bfloat16 brain = __nv_bfloat16_raw{static_cast<unsigned short>(bits)};
    CHECK(Number(brain).__x == nearest(d, float(brain), true));
  }
  // Around the middle between two numbers.
  for (unsigned code = 0; code < d.largest; ++code) {
    const double middle = (value_of(d, code) + value_of(d, code + 1)) / 2;
    for (const double x : {middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e9), -middle}) {
      CHECK(Number(x).__x == nearest(d, x, true) && Number(static_cast<float>(x)).__x == nearest(d, static_cast<float>(x), true));
    }
  }
  for (const int x : {0, 1, -1, 3, 5, 7, 19, -29, 100, 447, 449, 1000, -60000, 70000, std::numeric_limits<int>::min()}) {
    CHECK(Number(x).__x == nearest(d, x, true) && Number(static_cast<long long>(x)).__x == nearest(d, x, true));
    CHECK(Number(static_cast<unsigned>(x)).__x == nearest(d, static_cast<unsigned>(x), true));
    CHECK(Number(static_cast<short>(x)).__x == nearest(d, static_cast<short>(x), true));
  }
}

void test_saturation() {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const float x = std::ldexp(static_cast<float>(random() % 8192) - 4096, static_cast<int>(random() % 30) - 20);
    for (const auto saturate : {__NV_NOSAT, __NV_SATFINITE}) {
      const bool finite = saturate == __NV_SATFINITE;
      CHECK(__nv_cvt_float_to_fp8(x, saturate, __NV_E4M3) == nearest(e4m3, x, finite));
      CHECK(__nv_cvt_double_to_fp8(x, saturate, __NV_E5M2) == nearest(e5m2, x, finite));
      const __half half(x);
      CHECK(__nv_cvt_halfraw_to_fp8(half, saturate, __NV_E4M3) == nearest(e4m3, float(half), finite));
    }
    CHECK(__nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest) == nearest(e2m3, x, true));
    CHECK(__nv_cvt_bfloat16raw_to_fp6(__nv_bfloat16(x), __NV_E3M2, cudaRoundNearest) == nearest(e3m2, float(__nv_bfloat16(x)), true));
    CHECK(__nv_cvt_double_to_fp4(x, __NV_E2M1, cudaRoundNearest) == nearest(e2m1, x, true));
  }
  CHECK(__nv_cvt_float_to_fp8(INFINITY, __NV_NOSAT, __NV_E5M2) == 0x7c && __nv_cvt_float_to_fp8(-INFINITY, __NV_SATFINITE, __NV_E5M2) == 0xfb);
  CHECK(__nv_cvt_float_to_fp8(INFINITY, __NV_NOSAT, __NV_E4M3) == 0x7f && __nv_cvt_float_to_fp8(1e9f, __NV_SATFINITE, __NV_E4M3) == 0x7e);
  CHECK(__nv_cvt_float_to_fp8(NAN, __NV_SATFINITE, __NV_E4M3) == 0x7f && __nv_cvt_double_to_fp4(NAN, __NV_E2M1, cudaRoundNearest) == 7);
}

// Powers of two: code c is 2^(c - 127).
void test_scales() {
  for (int code = 0; code < 255; ++code) {
    const double power = std::ldexp(1.0, code - 127);
    __nv_fp8_e8m0 scale;
    scale.__x = static_cast<unsigned char>(code);
    CHECK(double(scale) == power && float(scale) == static_cast<float>(power) && bool(scale));
    CHECK(__nv_cvt_double_to_e8m0(power, __NV_NOSAT, cudaRoundZero) == code && __nv_cvt_double_to_e8m0(-power, __NV_NOSAT, cudaRoundPosInf) == code);
    const double more = std::nextafter(power, 1e300);
    CHECK(__nv_cvt_double_to_e8m0(more, __NV_NOSAT, cudaRoundZero) == code && __nv_cvt_double_to_e8m0(more, __NV_NOSAT, cudaRoundPosInf) == code + 1);
  }
  CHECK(__nv_fp8_e8m0(0.0f).__x == 0 && __nv_fp8_e8m0(1e-44f).__x == 0 && __nv_fp8_e8m0(3).__x == 129 && __nv_fp8_e8m0(INFINITY).__x == 254);
  CHECK(__nv_cvt_float_to_e8m0(INFINITY, __NV_NOSAT, cudaRoundZero) == 255 && __nv_fp8_e8m0(NAN).__x == 255);
  CHECK(__nv_fp8_e8m0((1ll << 53) + 1).__x == 127 + 54 && __nv_cvt_e8m0_to_bf16raw(128).x == 0x4000);
  CHECK(__nv_cvt_float2_to_e8m0x2({2, 0.5f}, __NV_NOSAT, cudaRoundZero) == 0x7e80 && __nv_cvt_e8m0x2_to_bf162raw(0x7e80).y == 0x3f00);
}

template <class Pair, class Four>
void test_vectors(unsigned size_of_pair, unsigned size_of_four) {
  CHECK(sizeof(Pair) == size_of_pair && alignof(Pair) == size_of_pair && sizeof(Four) == size_of_four && alignof(Four) == size_of_four);
  const float2 two = float2(Pair(make_float2(1.5f, -2)));
  CHECK(two.x == 1.5f && two.y == -2 && float2(Pair(make_double2(0.5, 4))).y == 4);
  CHECK(__half2(Pair(__half2(1.0f, 2.0f))) == __half2(1.0f, 2.0f));
  CHECK(__nv_bfloat162(Pair(__nv_bfloat162(1.0f, 2.0f))) == __nv_bfloat162(1.0f, 2.0f));
  const float4 four = float4(Four(make_float4(1, -1.5f, 3, 0.5f)));
  CHECK(four.x == 1 && four.y == -1.5f && four.z == 3 && four.w == 0.5f);
  const float4 halves = float4(Four(__half2(1.0f, 2.0f), __half2(3.0f, 4.0f)));
  CHECK(halves.x == 1 && halves.y == 2 && halves.z == 3 && halves.w == 4);
  CHECK(float4(Four(__nv_bfloat162(1.0f, 2.0f), __nv_bfloat162(3.0f, 4.0f))).w == 4 && float4(Four(make_double4(1, 2, 3, 4))).z == 3);
}

void test_vector_functions() {
  CHECK(__nv_cvt_float2_to_fp8x2({1, -1}, __NV_NOSAT, __NV_E4M3) == 0xb838 && __nv_cvt_double2_to_fp8x2({1, -1}, __NV_NOSAT, __NV_E5M2) == 0xbc3c);
  CHECK(__nv_cvt_halfraw2_to_fp8x2(__half2(1.0f, 2.0f), __NV_NOSAT, __NV_E4M3) == 0x4038);
  CHECK(__nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162(1.0f, 2.0f), __NV_NOSAT, __NV_E4M3) == 0x4038);
  CHECK(__half2(__nv_cvt_fp8x2_to_halfraw2(0x4038, __NV_E4M3)) == __half2(1.0f, 2.0f));
  CHECK(__nv_bfloat162(__nv_cvt_fp8x2_to_bf162raw(0x4038, __NV_E4M3)) == __nv_bfloat162(1.0f, 2.0f));
  CHECK(__nv_cvt_fp8_to_halfraw(0x3c, __NV_E5M2).x == 0x3c00 && __nv_cvt_fp8_to_bf16raw(0xff, __NV_E4M3).x == 0x7fff);
  CHECK(__nv_cvt_float2_to_fp6x2({1, -2}, __NV_E3M2, cudaRoundNearest) == 0x300c && __nv_cvt_halfraw_to_fp6(__half(1.0f), __NV_E2M3, cudaRoundNearest) == 8);
  CHECK(__half2(__nv_cvt_fp6x2_to_halfraw2(0x300c, __NV_E3M2)) == __half2(1.0f, -2.0f) && __nv_cvt_fp6_to_bf16raw(8, __NV_E2M3).x == 0x3f80);
  CHECK(__nv_cvt_float2_to_fp4x2({1, -6}, __NV_E2M1, cudaRoundNearest) == 0xf2 && __half2(__nv_cvt_fp4x2_to_halfraw2(0xf2, __NV_E2M1)) == __half2(1.0f, -6.0f));
  CHECK(__nv_bfloat162(__nv_cvt_fp4x2_to_bf162raw(0x21, __NV_E2M1)) == __nv_bfloat162(0.5f, 1.0f) && __nv_cvt_fp4_to_halfraw(3, __NV_E2M1).x == 0x3e00);
}

int main() {
  test_codes<__nv_fp8_e4m3>(e4m3);
  test_codes<__nv_fp8_e5m2>(e5m2);
  test_codes<__nv_fp6_e2m3>(e2m3);
  test_codes<__nv_fp6_e3m2>(e3m2);
  test_codes<__nv_fp4_e2m1>(e2m1);
  test_rounding<__nv_fp8_e4m3>(e4m3);
  test_rounding<__nv_fp8_e5m2>(e5m2);
  test_rounding<__nv_fp6_e2m3>(e2m3);
  test_rounding<__nv_fp6_e3m2>(e3m2);
  test_rounding<__nv_fp4_e2m1>(e2m1);
  test_saturation();
  test_scales();
  test_vectors<__nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(2, 4);
  test_vectors<__nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(2, 4);
  test_vectors<__nv_fp6x2_e2m3, __nv_fp6x4_e2m3>(2, 4);
  test_vectors<__nv_fp6x2_e3m2, __nv_fp6x4_e3m2>(2, 4);
  test_vectors<__nv_fp4x2_e2m1, __nv_fp4x4_e2m1>(1, 2);
  test_vector_functions();
  return 0;
}
