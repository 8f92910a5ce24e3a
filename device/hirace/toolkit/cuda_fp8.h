// Numbers of 8 bits, like the CUDA toolkit's header of this name. Its unsigned format of CUDA 13, e5m3, is not
// here.
#pragma once

#include "../hirace.cuh"

#include "../cuda/tiny_float_conversions.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace hirace::cpu {

using TinyE4m3 = TinyFloat<4, 3, TinySpecials::nan_only>;
using TinyE5m2 = TinyFloat<5, 2, TinySpecials::ieee>;

inline __nv_fp8_storage_t pack_fp8(double value, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  const bool finite = saturate == __NV_SATFINITE;
  return kind == __NV_E4M3 ? TinyE4m3::pack(value, finite) : TinyE5m2::pack(value, finite);
}
inline float unpack_fp8(unsigned code, __nv_fp8_interpretation_t kind) {
  const auto byte = static_cast<unsigned char>(code);
  return kind == __NV_E4M3 ? TinyE4m3::unpack(byte) : TinyE5m2::unpack(byte);
}
inline __nv_fp8_storage_t pack_e8m0(double value, __nv_saturation_t saturate, cudaRoundMode rounding) {
  return TinyScale::pack(value, saturate == __NV_SATFINITE, rounding == cudaRoundPosInf);
}

}  // namespace hirace::cpu

HIRACE_TINY_CONVERSIONS(fp8, __nv_fp8_storage_t, __nv_fp8x2_storage_t, __nv_saturation_t, __nv_fp8_interpretation_t,
                        ::hirace::cpu::pack_fp8, __nv_fp8_interpretation_t, ::hirace::cpu::unpack_fp8)
HIRACE_TINY_FROM_FLOATS(e8m0, __nv_fp8_storage_t, __nv_fp8x2_storage_t, __nv_saturation_t, cudaRoundMode, ::hirace::cpu::pack_e8m0)
HIRACE_TINY_FROM_PAIR(__nv_bfloat162_raw, bfloat162raw, e8m0x2, __nv_fp8x2_storage_t, __nv_saturation_t, cudaRoundMode,
                      ::hirace::cpu::pack_e8m0)
inline __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x) {
  return __nv_bfloat16(::hirace::cpu::TinyScale::unpack(x));
}
inline __nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(const __nv_fp8x2_storage_t x) {
  return {__nv_cvt_e8m0_to_bf16raw(x & 0xff).x, __nv_cvt_e8m0_to_bf16raw(x >> 8).x};
}

HIRACE_TINY_TYPES(hirace::cpu::TinyE4m3, __nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x2_storage_t, __nv_fp8x4_e4m3, __nv_fp8x4_storage_t)
HIRACE_TINY_TYPES(hirace::cpu::TinyE5m2, __nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x2_storage_t, __nv_fp8x4_e5m2, __nv_fp8x4_storage_t)
HIRACE_TINY_TYPES(hirace::cpu::TinyScale, __nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x2_storage_t, __nv_fp8x4_e8m0, __nv_fp8x4_storage_t)

#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__
