// Half precision, like the CUDA toolkit's header of this name.
#pragma once

#include "../hirace.cuh"

#include "../cuda/small_float_functions.h"

HIRACE_SMALL_FLOAT_TYPES(__half, __half2, 5, __nv_bfloat16)
HIRACE_SMALL_FLOAT_CONVERSIONS(__half, __half2, half)
HIRACE_SMALL_FLOAT_FUNCTIONS(__half, __half2)
#ifndef __CUDA_NO_HALF_OPERATORS__
HIRACE_SMALL_FLOAT_OPERATORS(__half)
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
HIRACE_SMALL_FLOAT_PAIR_OPERATORS(__half, __half2)
#endif

inline __half2 __halves2half2(__half a, __half b) { return {a, b}; }
inline signed char __half2char_rz(__half a) { return hirace::cpu::to_integer<signed char>(std::trunc(static_cast<float>(a))); }
inline unsigned char __half2uchar_rz(__half a) { return hirace::cpu::to_integer<unsigned char>(std::trunc(static_cast<float>(a))); }

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(1)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)

#ifndef CUDA_NO_HALF
using half = __half;
using half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using __nv_half_raw = __half_raw;
using __nv_half2_raw = __half2_raw;
#endif

#define __CUDA_FP16_H__
#define __CUDA_FP16_TYPES_EXIST__
