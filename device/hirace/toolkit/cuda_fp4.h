// Numbers of 4 bits, like the CUDA toolkit's header of this name. A vector has two of them in a byte.
#pragma once

#include "cuda_fp6.h"

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

namespace hirace::cpu {

using TinyE2m1 = TinyFloat<2, 1, TinySpecials::none>;

// Rounds to the nearest number, the only mode that CUDA has.
inline __nv_fp4_storage_t pack_fp4(double value, __nv_fp4_interpretation_t, cudaRoundMode) { return TinyE2m1::pack(value); }
inline float unpack_fp4(unsigned code, __nv_fp4_interpretation_t) { return TinyE2m1::unpack(static_cast<unsigned char>(code)); }

}  // namespace hirace::cpu

HIRACE_TINY_CONVERSIONS(fp4, __nv_fp4_storage_t, __nv_fp4x2_storage_t, __nv_fp4_interpretation_t, cudaRoundMode,
                        ::hirace::cpu::pack_fp4, __nv_fp4_interpretation_t, ::hirace::cpu::unpack_fp4)
HIRACE_TINY_TYPES(hirace::cpu::TinyE2m1, __nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x2_storage_t, __nv_fp4x4_e2m1, __nv_fp4x4_storage_t)

#define __CUDA_FP4_H__
#define __CUDA_FP4_TYPES_EXIST__
