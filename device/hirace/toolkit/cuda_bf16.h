// bfloat16, like the CUDA toolkit's header of this name.
#pragma once

#include "../hirace.cuh"

#include "cuda_fp16.h"

HIRACE_SMALL_FLOAT_TYPES(__nv_bfloat16, __nv_bfloat162, 8, __half)
HIRACE_SMALL_FLOAT_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16)
HIRACE_SMALL_FLOAT_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
HIRACE_SMALL_FLOAT_OPERATORS(__nv_bfloat16)
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
HIRACE_SMALL_FLOAT_PAIR_OPERATORS(__nv_bfloat16, __nv_bfloat162)
#endif

inline __nv_bfloat16::__nv_bfloat16(__half value) : __nv_bfloat16(static_cast<float>(value)) {}
inline __half::__half(__nv_bfloat16 value) : __half(static_cast<float>(value)) {}

inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
inline signed char __bfloat162char_rz(__nv_bfloat16 a) {
  return hirace::cpu::to_integer<signed char>(std::trunc(static_cast<float>(a)));
}
inline unsigned char __bfloat162uchar_rz(__nv_bfloat16 a) {
  return hirace::cpu::to_integer<unsigned char>(std::trunc(static_cast<float>(a)));
}

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(1)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)

#ifndef CUDA_NO_BFLOAT16
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
#endif

#define __CUDA_BF16_H__
#define __CUDA_BF16_TYPES_EXIST__
