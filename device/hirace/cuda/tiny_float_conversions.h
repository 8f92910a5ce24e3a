// __nv_cvt_float_to_fp8 and so on: CUDA's functions that convert numbers of 8, 6 and 4 bits by their codes.
#pragma once

#include "tiny_float_types.h"

namespace hirace::cpu {

inline double exact_value(double value) { return value; }
inline double exact_value(const __half_raw& value) { return static_cast<float>(__half(value)); }
inline double exact_value(const __nv_bfloat16_raw& value) { return static_cast<float>(__nv_bfloat16(value)); }

inline double2 exact_pair(const double2& pair) { return pair; }
inline double2 exact_pair(const float2& pair) { return {pair.x, pair.y}; }
inline double2 exact_pair(const __half2_raw& pair) { return {exact_value(__half_raw{pair.x}), exact_value(__half_raw{pair.y})}; }
inline double2 exact_pair(const __nv_bfloat162_raw& pair) {
  return {exact_value(__nv_bfloat16_raw{pair.x}), exact_value(__nv_bfloat16_raw{pair.y})};
}

}  // namespace hirace::cpu

// Numbers to codes. `pack(value, a, b)` gives the code of a double. Those of a pair share the bits of
// `pair_code` equally.
#define HIRACE_TINY_FROM(type, from, to, code, First, Second, pack)                   \
  inline code __nv_cvt_##from##_to_##to(const type x, const First a, const Second b) { \
    return pack(::hirace::cpu::exact_value(x), a, b);                                 \
  }
#define HIRACE_TINY_FROM_PAIR(type, from, to, pair_code, First, Second, pack)                              \
  inline pair_code __nv_cvt_##from##_to_##to(const type x, const First a, const Second b) {                \
    const double2 value = ::hirace::cpu::exact_pair(x);                                                    \
    return static_cast<pair_code>(pack(value.x, a, b) | pack(value.y, a, b) << 4 * sizeof(pair_code));     \
  }
#define HIRACE_TINY_FROM_FLOATS(to, code, pair_code, First, Second, pack)          \
  HIRACE_TINY_FROM(double, double, to, code, First, Second, pack)                  \
  HIRACE_TINY_FROM(float, float, to, code, First, Second, pack)                    \
  HIRACE_TINY_FROM(__nv_bfloat16_raw, bfloat16raw, to, code, First, Second, pack)  \
  HIRACE_TINY_FROM_PAIR(double2, double2, to##x2, pair_code, First, Second, pack)  \
  HIRACE_TINY_FROM_PAIR(float2, float2, to##x2, pair_code, First, Second, pack)

// Codes to numbers: `unpack(code, kind)` gives a float.
#define HIRACE_TINY_TO(raw, scalar, from, to, code, Kind, unpack) \
  inline raw __nv_cvt_##from##_to_##to(const code x, const Kind kind) { return scalar(unpack(x, kind)); }
#define HIRACE_TINY_TO_PAIR(raw, pair, scalar, from, to, pair_code, Kind, unpack)                        \
  inline raw __nv_cvt_##from##_to_##to(const pair_code x, const Kind kind) {                             \
    const unsigned codes = x, bits = 4 * sizeof(pair_code);                                              \
    return pair(scalar(unpack(codes & ((1u << bits) - 1), kind)), scalar(unpack(codes >> bits, kind)));  \
  }

// All functions of cuda_fp8.h, cuda_fp6.h and cuda_fp4.h for types with a sign.
#define HIRACE_TINY_CONVERSIONS(name, code, pair_code, First, Second, pack, Kind, unpack)                             \
  HIRACE_TINY_FROM_FLOATS(name, code, pair_code, First, Second, pack)                                                 \
  HIRACE_TINY_FROM(__half_raw, halfraw, name, code, First, Second, pack)                                              \
  HIRACE_TINY_FROM_PAIR(__half2_raw, halfraw2, name##x2, pair_code, First, Second, pack)                              \
  HIRACE_TINY_FROM_PAIR(__nv_bfloat162_raw, bfloat16raw2, name##x2, pair_code, First, Second, pack)                   \
  HIRACE_TINY_TO(__half_raw, __half, name, halfraw, code, Kind, unpack)                                               \
  HIRACE_TINY_TO(__nv_bfloat16_raw, __nv_bfloat16, name, bf16raw, code, Kind, unpack)                                 \
  HIRACE_TINY_TO_PAIR(__half2_raw, __half2, __half, name##x2, halfraw2, pair_code, Kind, unpack)                      \
  HIRACE_TINY_TO_PAIR(__nv_bfloat162_raw, __nv_bfloat162, __nv_bfloat16, name##x2, bf162raw, pair_code, Kind, unpack)
