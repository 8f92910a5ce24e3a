// Arithmetic on the two halves or four bytes of a word, and minima and maxima of sums (CUDA
// Math API, "SIMD Intrinsics"; programming guide, "Dynamic Programming eXtension").
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace hirace::cpu {

// Combines words lane by lane. A lane is computed as an int, which can hold all results, and
// truncated to its low bits.
template <class Lane, class Operation, class... Words>
inline unsigned int lanewise(Operation operation, Words... words) {
  constexpr int bits = 8 * sizeof(Lane);
  unsigned int result = 0;
  for (int i = 0; i < 32; i += bits) {
    const auto lane = static_cast<Lane>(operation(int{static_cast<Lane>(words >> i)}...));
    result |= (static_cast<unsigned int>(lane) & ((1u << bits) - 1)) << i;
  }
  return result;
}

template <class Lane, class Operation, class... Words>
inline unsigned int lanewise_sum(Operation operation, Words... words) {
  unsigned int result = 0;
  for (int i = 0; i < 32; i += 8 * static_cast<int>(sizeof(Lane))) {
    result += static_cast<unsigned int>(operation(int{static_cast<Lane>(words >> i)}...));
  }
  return result;
}

template <class Lane>
inline int clamped(int x) {
  constexpr int low = std::numeric_limits<Lane>::lowest(), high = std::numeric_limits<Lane>::max();
  return x < low ? low : x > high ? high : x;
}

template <class T>
inline T min3(T a, T b, T c) {
  const T ab = a < b ? a : b;
  return ab < c ? ab : c;
}
template <class T>
inline T max3(T a, T b, T c) {
  const T ab = a < b ? b : a;
  return ab < c ? c : ab;
}
inline int non_negative(int x) { return x < 0 ? 0 : x; }
// Sums wrap around.
inline int wrapped_sum(int a, int b) { return static_cast<int>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b)); }

}  // namespace hirace::cpu

#define HIRACE_LANEWISE_1(name, lane, expression) \
  inline unsigned int name(unsigned int a) {      \
    return hirace::cpu::lanewise<lane>([](int x) { return static_cast<int>(expression); }, a); \
  }
#define HIRACE_LANEWISE_2(name, lane, expression)            \
  inline unsigned int name(unsigned int a, unsigned int b) { \
    return hirace::cpu::lanewise<lane>([](int x, int y) { return static_cast<int>(expression); }, a, b); \
  }
#define HIRACE_LANEWISE_3(name, lane, expression)                            \
  inline unsigned int name(unsigned int a, unsigned int b, unsigned int c) { \
    return hirace::cpu::lanewise<lane>([](int x, int y, int z) { return static_cast<int>(expression); }, a, b, c); \
  }

// Names without a signedness suffix.
#define HIRACE_WRAPPING(n, lane, signed_lane)                                    \
  HIRACE_LANEWISE_2(__vadd##n, lane, x + y)                                      \
  HIRACE_LANEWISE_2(__vsub##n, lane, x - y)                                      \
  HIRACE_LANEWISE_1(__vneg##n, lane, -x)                                         \
  HIRACE_LANEWISE_1(__vabs##n, signed_lane, x < 0 ? -x : x)                      \
  HIRACE_LANEWISE_2(__vcmpeq##n, lane, x == y ? -1 : 0)                          \
  HIRACE_LANEWISE_2(__vcmpne##n, lane, x != y ? -1 : 0)                          \
  HIRACE_LANEWISE_2(__vseteq##n, lane, x == y)                                   \
  HIRACE_LANEWISE_2(__vsetne##n, lane, x != y)                                   \
  HIRACE_LANEWISE_1(__vnegss##n, signed_lane, hirace::cpu::clamped<signed_lane>(-x)) \
  HIRACE_LANEWISE_1(__vabsss##n, signed_lane, hirace::cpu::clamped<signed_lane>(x < 0 ? -x : x)) \
  /* Averages round up: those of negative sums away from zero. */                \
  HIRACE_LANEWISE_2(__vavgu##n, lane, (x + y + 1) >> 1)                          \
  HIRACE_LANEWISE_2(__vavgs##n, signed_lane, (x + y + (x + y < 0 ? 0 : 1)) >> 1) \
  HIRACE_LANEWISE_2(__vhaddu##n, lane, (x + y) >> 1)

#define HIRACE_SIGNED_OR_NOT(n, sign, lane)                                           \
  HIRACE_LANEWISE_2(__vadd##sign##s##n, lane, hirace::cpu::clamped<lane>(x + y))      \
  HIRACE_LANEWISE_2(__vsub##sign##s##n, lane, hirace::cpu::clamped<lane>(x - y))      \
  HIRACE_LANEWISE_2(__vmin##sign##n, lane, x < y ? x : y)                             \
  HIRACE_LANEWISE_2(__vmax##sign##n, lane, x > y ? x : y)                             \
  HIRACE_LANEWISE_2(__vabsdiff##sign##n, lane, x > y ? x - y : y - x)                 \
  HIRACE_LANEWISE_2(__vcmpge##sign##n, lane, x >= y ? -1 : 0)                         \
  HIRACE_LANEWISE_2(__vcmpgt##sign##n, lane, x > y ? -1 : 0)                          \
  HIRACE_LANEWISE_2(__vcmple##sign##n, lane, x <= y ? -1 : 0)                         \
  HIRACE_LANEWISE_2(__vcmplt##sign##n, lane, x < y ? -1 : 0)                          \
  HIRACE_LANEWISE_2(__vsetge##sign##n, lane, x >= y)                                  \
  HIRACE_LANEWISE_2(__vsetgt##sign##n, lane, x > y)                                   \
  HIRACE_LANEWISE_2(__vsetle##sign##n, lane, x <= y)                                  \
  HIRACE_LANEWISE_2(__vsetlt##sign##n, lane, x < y)                                   \
  inline unsigned int __vsad##sign##n(unsigned int a, unsigned int b) {               \
    return hirace::cpu::lanewise_sum<lane>([](int x, int y) { return x > y ? x - y : y - x; }, a, b); \
  }

HIRACE_WRAPPING(2, std::uint16_t, std::int16_t)
HIRACE_WRAPPING(4, std::uint8_t, std::int8_t)
HIRACE_SIGNED_OR_NOT(2, s, std::int16_t)
HIRACE_SIGNED_OR_NOT(2, u, std::uint16_t)
HIRACE_SIGNED_OR_NOT(4, s, std::int8_t)
HIRACE_SIGNED_OR_NOT(4, u, std::uint8_t)
#undef HIRACE_WRAPPING
#undef HIRACE_SIGNED_OR_NOT

// The lesser or greater of two or three numbers, or of a sum and a number; at least zero with
// `_relu`. __viaddmax adds its first two arguments.
#define HIRACE_DPX_LANES(suffix, lane)                                                          \
  HIRACE_LANEWISE_3(__vimax3_##suffix, lane, hirace::cpu::max3(x, y, z))                        \
  HIRACE_LANEWISE_3(__vimin3_##suffix, lane, hirace::cpu::min3(x, y, z))                        \
  HIRACE_LANEWISE_3(__viaddmax_##suffix, lane, hirace::cpu::max3<int>(static_cast<lane>(x + y), z, z)) \
  HIRACE_LANEWISE_3(__viaddmin_##suffix, lane, hirace::cpu::min3<int>(static_cast<lane>(x + y), z, z)) \
  inline unsigned int __vibmax_##suffix(unsigned int a, unsigned int b, bool* high, bool* low) { \
    *high = static_cast<lane>(a >> 16) >= static_cast<lane>(b >> 16);                           \
    *low = static_cast<lane>(a) >= static_cast<lane>(b);                                        \
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                            \
  }                                                                                             \
  inline unsigned int __vibmin_##suffix(unsigned int a, unsigned int b, bool* high, bool* low) { \
    *high = static_cast<lane>(a >> 16) <= static_cast<lane>(b >> 16);                           \
    *low = static_cast<lane>(a) <= static_cast<lane>(b);                                        \
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                            \
  }
HIRACE_DPX_LANES(s16x2, std::int16_t)
HIRACE_DPX_LANES(u16x2, std::uint16_t)
#undef HIRACE_DPX_LANES

#define HIRACE_DPX(suffix, type, sum)                                                          \
  inline type __vimax3_##suffix(type a, type b, type c) { return hirace::cpu::max3(a, b, c); } \
  inline type __vimin3_##suffix(type a, type b, type c) { return hirace::cpu::min3(a, b, c); } \
  inline type __viaddmax_##suffix(type a, type b, type c) { return hirace::cpu::max3<type>(sum, c, c); } \
  inline type __viaddmin_##suffix(type a, type b, type c) { return hirace::cpu::min3<type>(sum, c, c); } \
  inline type __vibmax_##suffix(type a, type b, bool* first) {                                 \
    *first = a >= b;                                                                           \
    return *first ? a : b;                                                                     \
  }                                                                                            \
  inline type __vibmin_##suffix(type a, type b, bool* first) {                                 \
    *first = a <= b;                                                                           \
    return *first ? a : b;                                                                     \
  }
HIRACE_DPX(s32, int, hirace::cpu::wrapped_sum(a, b))
HIRACE_DPX(u32, unsigned int, a + b)
#undef HIRACE_DPX

#define HIRACE_DPX_RELU(m)                                                                                          \
  HIRACE_LANEWISE_2(__vi##m##_s16x2_relu, std::int16_t, hirace::cpu::non_negative(hirace::cpu::m##3(x, y, y)))          \
  HIRACE_LANEWISE_3(__vi##m##3_s16x2_relu, std::int16_t, hirace::cpu::non_negative(hirace::cpu::m##3(x, y, z)))     \
  HIRACE_LANEWISE_3(__viadd##m##_s16x2_relu, std::int16_t,                                                          \
                    hirace::cpu::non_negative(hirace::cpu::m##3<int>(static_cast<std::int16_t>(x + y), z, z)))      \
  inline int __vi##m##_s32_relu(int a, int b) { return hirace::cpu::non_negative(hirace::cpu::m##3(a, b, b)); }     \
  inline int __vi##m##3_s32_relu(int a, int b, int c) { return hirace::cpu::non_negative(hirace::cpu::m##3(a, b, c)); } \
  inline int __viadd##m##_s32_relu(int a, int b, int c) {                                                           \
    return hirace::cpu::non_negative(hirace::cpu::m##3(hirace::cpu::wrapped_sum(a, b), c, c));                      \
  }
HIRACE_DPX_RELU(max)
HIRACE_DPX_RELU(min)
#undef HIRACE_DPX_RELU

#undef HIRACE_LANEWISE_1
#undef HIRACE_LANEWISE_2
#undef HIRACE_LANEWISE_3
