// bfloat16, like the CUDA toolkit's header of this name.
#pragma once

#include "../hirace.cuh"

#include "../cuda/small_float_functions.h"

HIRACE_SMALL_FLOAT_TYPES(__nv_bfloat16, __nv_bfloat162, 8)
HIRACE_SMALL_FLOAT_CONVERSIONS(__nv_bfloat16, __nv_bfloat162, bfloat16)
HIRACE_SMALL_FLOAT_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
HIRACE_SMALL_FLOAT_OPERATORS(__nv_bfloat16, __nv_bfloat162)
#endif

inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
inline signed char __bfloat162char_rz(__nv_bfloat16 a) {
  return hirace::cpu::to_integer<signed char>(std::trunc(static_cast<float>(a)));
}
inline unsigned char __bfloat162uchar_rz(__nv_bfloat16 a) {
  return hirace::cpu::to_integer<unsigned char>(std::trunc(static_cast<float>(a)));
}

#ifndef CUDA_NO_BFLOAT16
using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;
#endif
