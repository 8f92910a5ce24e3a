//! run -> 0
// Arithmetic with directed rounding, compared with the processor's own rounding modes.
#include <cfenv>
#include <cstring>

#include "check.h"

#include <limits>

// Keeps the compiler from moving computations across a change of the mode.
template <class T, class Operation>
[[gnu::noinline]] T in_mode(int mode, Operation operation, T a, T b, T c) {
  volatile T x = a, y = b, z = c;
  std::fesetround(mode);
  const volatile T result = operation(x, y, z);
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class T>
bool same(T a, T b) {
  return (a != a && b != b) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T>
T fraction_of(T value) {
  int exponent;
  return std::frexp(value, &exponent);
}

// Bit patterns of all kinds: any, near one another, subnormal, zeros, infinities.
template <class T, class Bits>
T number(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  const T specials[] = {T(0), T(-0.0), std::numeric_limits<T>::infinity(), std::numeric_limits<T>::max(), T(1), T(3),
                        std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::min(), -std::numeric_limits<T>::max()};
  if (state % 8 == 0) return specials[(state >> 8) % (sizeof specials / sizeof *specials)];
  Bits bits = static_cast<Bits>(state >> (64 - 8 * sizeof(Bits)));
  T value;
  std::memcpy(&value, &bits, sizeof value);
  // Exponents close together, and numbers of few digits, whose results are often exact.
  if (state % 8 == 1) value = std::ldexp(fraction_of(value), static_cast<int>(state >> 8 & 7));
  if (state % 8 == 2) value = static_cast<T>(static_cast<int>(state >> 8 & 255) - 128);
  if (state % 8 == 3) value = std::ldexp(fraction_of(value), std::numeric_limits<T>::min_exponent + static_cast<int>(state >> 8 & 63) - 32);
  return value;
}

#define COMPARE(mode, suffix, f, fma_name)                                                                         \
  CHECK(same(in_mode(mode, [](T x, T y, T) { return x + y; }, a, b, c), __##f##add_##suffix(a, b)));               \
  CHECK(same(in_mode(mode, [](T x, T y, T) { return x - y; }, a, b, c), __##f##sub_##suffix(a, b)));               \
  CHECK(same(in_mode(mode, [](T x, T y, T) { return x * y; }, a, b, c), __##f##mul_##suffix(a, b)));               \
  CHECK(same(in_mode(mode, [](T x, T y, T) { return x / y; }, a, b, c), __##f##div_##suffix(a, b)));               \
  CHECK(same(in_mode(mode, [](T x, T, T) { return 1 / x; }, a, b, c), __##f##rcp_##suffix(a)));                    \
  CHECK(same(in_mode(mode, [](T x, T, T) { return std::sqrt(x); }, a, b, c), __##f##sqrt_##suffix(a)));            \
  CHECK(same(in_mode(mode, [](T x, T y, T z) { return std::fma(x, y, z); }, a, b, c), fma_name##_##suffix(a, b, c)))

template <class Bits, class T>
void test_floats(std::uint64_t state) {
  for (int i = 0; i < 20000; ++i) {
    const T a = number<T, Bits>(state), b = number<T, Bits>(state), c = number<T, Bits>(state);
    COMPARE(FE_TONEAREST, rn, f, __fmaf);
    COMPARE(FE_TOWARDZERO, rz, f, __fmaf);
    COMPARE(FE_UPWARD, ru, f, __fmaf);
    COMPARE(FE_DOWNWARD, rd, f, __fmaf);
  }
}

template <class Bits, class T>
void test_doubles(std::uint64_t state) {
  for (int i = 0; i < 20000; ++i) {
    const T a = number<T, Bits>(state), b = number<T, Bits>(state), c = number<T, Bits>(state);
    COMPARE(FE_TONEAREST, rn, d, __fma);
    COMPARE(FE_TOWARDZERO, rz, d, __fma);
    COMPARE(FE_UPWARD, ru, d, __fma);
    COMPARE(FE_DOWNWARD, rd, d, __fma);
  }
}

int main() {
  // Follows from the definition.
  CHECK(__fadd_ru(1.0f, 1e-30f) == 1.0f + 0x1p-23f && __fadd_rd(1.0f, 1e-30f) == 1.0f && __fadd_rz(1.0f, -1e-30f) == 1.0f - 0x1p-24f);
  CHECK(__fdiv_rz(2.0f, 3.0f) < __fdiv_ru(2.0f, 3.0f) && __frcp_rd(3.0f) < __frcp_ru(3.0f) && __frcp_ru(4.0f) == 0.25f);
  CHECK(__fsqrt_rd(2.0f) < __fsqrt_ru(2.0f) && __fsqrt_ru(9.0f) == 3.0f && __fmul_rz(1e30f, 1e30f) == std::numeric_limits<float>::max());
  CHECK(__dadd_ru(1.0, 1e-300) == 1.0 + 0x1p-52 && __dmul_ru(1e-300, 1e-300) == 0x1p-1074 && __dmul_rz(1e-300, 1e-300) == 0);
  CHECK(std::signbit(__fadd_rd(1.0f, -1.0f)) && !std::signbit(__fadd_rn(1.0f, -1.0f)) && __frsqrt_rn(4.0f) == 0.5f);
  CHECK(__fmaf_rz(1 + 0x1p-12f, 1 + 0x1p-12f, 0) == 1 + 0x1p-11f && __fmaf_ieee_ru(1 + 0x1p-12f, 1 + 0x1p-12f, 0) == 1 + 0x1p-11f + 0x1p-23f);
  test_floats<std::uint32_t, float>(88172645463325252ull);
  test_doubles<std::uint64_t, double>(1181783497276652981ull);
  return 0;
}
