//! run -> 0
// Half precision and brain floats: every value, and the rounding of other values.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <random>

#include "check.h"

using hirace::cpu::HalfRounding;
using hirace::cpu::SmallFloat;

// Bits and arithmetic agree, and values in between round to a neighbour.
template <int exponent_bits>
void test_format() {
  using Format = SmallFloat<exponent_bits>;
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float value = Format::to_float(bits);
    if (value != value) continue;
    CHECK(value == Format::unpack(bits) && Format::from_float(value) == bits && Format::pack(value) == bits);
    const float above = Format::to_float(bits + 1);
    if ((bits & 0x7fff) + 1 >= Format::infinity || bits >= 0x8000) continue;
    const double middle = (static_cast<double>(value) + above) / 2;
    CHECK(Format::pack(middle) == bits + (bits & 1) && Format::pack(-middle) == (0x8000 | (bits + (bits & 1))));
    CHECK(Format::pack(middle, HalfRounding::down) == bits && Format::pack(middle, HalfRounding::up) == bits + 1);
    CHECK(Format::pack(-middle, HalfRounding::to_zero) == (0x8000 | bits));
    CHECK(Format::pack(-middle, HalfRounding::down) == (0x8000 | (bits + 1)));
  }
  std::mt19937 random(1);
  for (int i = 0; i < 200000; ++i) {
    const float value = __uint_as_float(static_cast<unsigned>(random()));
    if (value == value) CHECK(Format::from_float(value) == Format::pack(value));
  }
}

void test_half() {
  CHECK(__half_as_ushort(__half(1.0f)) == 0x3c00 && __half_as_ushort(__float2half(65520.0f)) == 0x7c00);
  CHECK(__half2float(__ushort_as_half(1)) == 0x1p-24f && __half_as_ushort(__float2half_rz(65520.0f)) == 0x7bff);
  CHECK(__half_as_ushort(__float2half(NAN)) == 0x7fff && __hisnan(hsqrt(__half(-1.0f))) && __hisinf(__half(-1e9)) == -1);
  const __half a(1.5f), b(-2.0f);
  CHECK(static_cast<float>(a + b) == -0.5f && static_cast<float>(a * b) == -3.0f && static_cast<float>(-b) == 2.0f);
  CHECK(a > b && !(a == b) && __hgt(a, b) && __hltu(__half(NAN), a) && !__hlt(__half(NAN), a));
  CHECK(__half2float(__hfma(a, b, __half(0.25f))) == -2.75f && __half2float(__hadd_sat(a, a)) == 1.0f);
  CHECK(__half2int_rn(__half(2.5f)) == 2 && __half2int_ru(__half(2.5f)) == 3 && __half2uint_rz(b) == 0u);
  CHECK(__half2float(__int2half_rn(2049)) == 2048.0f && __half2float(__int2half_ru(2049)) == 2050.0f);
  __half2 pair = __floats2half2_rn(1.0f, 2.0f);
  pair += __half2half2(a);
  CHECK(__low2float(pair) == 2.5f && __high2float(pair) == 3.5f && __half22float2(pair).y == 3.5f);
  CHECK(__low2float(__lowhigh2highlow(pair)) == 3.5f && __hbge2(pair, pair) && __heq2_mask(pair, __half2(pair.x, a)) == 0xffff);
  alignas(4) __half sum(1.0f);
  CHECK(__half2float(hirace::cpu::raw::atomicAdd(&sum, 0.5f)) == 1.0f && __half2float(sum) == 1.5f);
}

void test_bfloat16() {
  CHECK(__bfloat16_as_ushort(__nv_bfloat16(1.0f)) == 0x3f80 && __bfloat162float(__float2bfloat16(1e38f)) > 9e37f);
  const __nv_bfloat16 a(3.0f), b(0.5);
  CHECK(__bfloat162float(a * b) == 1.5f && __bfloat162float(__hmin(a, b)) == 0.5f && __bfloat162int_rz(a) == 3);
  const __nv_bfloat162 pair = __floats2bfloat162_rn(1.0f, 2.0f);
  CHECK(__high2float(__hmul2(pair, pair)) == 4.0f && __bfloat162float(__low2bfloat16(pair)) == 1.0f);
}

int main() {
  test_format<5>();
  test_format<8>();
  test_half();
  test_bfloat16();
  return 0;
}
