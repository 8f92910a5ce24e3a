// Numbers of 6 bits, each in a byte, like the CUDA toolkit's header of this name.
#pragma once

#include "cuda_fp8.h"

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

namespace hirace::cpu {

using TinyE2m3 = TinyFloat<2, 3, TinySpecials::none>;
using TinyE3m2 = TinyFloat<3, 2, TinySpecials::none>;

// Rounds to the nearest number, the only mode that CUDA has.
inline __nv_fp6_storage_t pack_fp6(double value, __nv_fp6_interpretation_t kind, cudaRoundMode) {
  return kind == __NV_E2M3 ? TinyE2m3::pack(value) : TinyE3m2::pack(value);
}
inline float unpack_fp6(unsigned code, __nv_fp6_interpretation_t kind) {
  const auto byte = static_cast<unsigned char>(code);
  return kind == __NV_E2M3 ? TinyE2m3::unpack(byte) : TinyE3m2::unpack(byte);
}

}  // namespace hirace::cpu

HIRACE_TINY_CONVERSIONS(fp6, __nv_fp6_storage_t, __nv_fp6x2_storage_t, __nv_fp6_interpretation_t, cudaRoundMode,
                        ::hirace::cpu::pack_fp6, __nv_fp6_interpretation_t, ::hirace::cpu::unpack_fp6)
HIRACE_TINY_TYPES(hirace::cpu::TinyE2m3, __nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x2_storage_t, __nv_fp6x4_e2m3, __nv_fp6x4_storage_t)
HIRACE_TINY_TYPES(hirace::cpu::TinyE3m2, __nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x2_storage_t, __nv_fp6x4_e3m2, __nv_fp6x4_storage_t)

#define __CUDA_FP6_H__
#define __CUDA_FP6_TYPES_EXIST__
