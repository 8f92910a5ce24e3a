// cuFFT's extension (cufftXt.h): plans with 64-bit sizes on the one device that there is. Its functions for several
// devices and for callbacks are not supported.
#pragma once

#include "../../cuda/library_types.h"
#include "../../cuda/unsupported_macros.h"
#include "cufft.h"

namespace hirace::cpu {

// The transform from numbers of one type to those of another. False if there is none.
inline bool fft_type_of(cudaDataType in, cudaDataType out, cufftType& type) {
  if (in == CUDA_C_32F && out == CUDA_C_32F) type = CUFFT_C2C;
  else if (in == CUDA_R_32F && out == CUDA_C_32F) type = CUFFT_R2C;
  else if (in == CUDA_C_32F && out == CUDA_R_32F) type = CUFFT_C2R;
  else if (in == CUDA_C_64F && out == CUDA_C_64F) type = CUFFT_Z2Z;
  else if (in == CUDA_R_64F && out == CUDA_C_64F) type = CUFFT_D2Z;
  else if (in == CUDA_C_64F && out == CUDA_R_64F) type = CUFFT_Z2D;
  else return false;
  return true;
}

}  // namespace hirace::cpu

inline cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long* sizes, long long* in_embed, long long in_stride,
                                       long long in_distance, cudaDataType in_type, long long* out_embed, long long out_stride,
                                       long long out_distance, cudaDataType out_type, long long batch, std::size_t* work_size, cudaDataType) {
  if (rank < 1 || rank > 3) return CUFFT_INVALID_VALUE;
  cufftType type;
  if (!hirace::cpu::fft_type_of(in_type, out_type, type)) return CUFFT_NOT_SUPPORTED;
  struct Narrow {
    Narrow(const long long* from, int count) {
      for (int i = 0; from != nullptr && i < count; ++i) values[i] = static_cast<int>(from[i]);
      given = from != nullptr ? values : nullptr;
    }
    int values[3];
    int* given;
  };
  Narrow all_sizes(sizes, rank), in(in_embed, rank), out(out_embed, rank);
  return cufftMakePlanMany(plan, rank, all_sizes.given, in.given, static_cast<int>(in_stride), static_cast<int>(in_distance), out.given,
                           static_cast<int>(out_stride), static_cast<int>(out_distance), type, static_cast<int>(batch), work_size);
}

inline cufftResult cufftXtExec(cufftHandle plan, void* in, void* out, int direction) {
  const hirace::cpu::FftPlan* const found = hirace::cpu::fft_plans.find(plan);
  if (found == nullptr) return CUFFT_INVALID_PLAN;
  const auto complex_in = static_cast<cufftComplex*>(in);
  const auto wide_in = static_cast<cufftDoubleComplex*>(in);
  switch (found->type) {
    case CUFFT_C2C: return cufftExecC2C(plan, complex_in, static_cast<cufftComplex*>(out), direction);
    case CUFFT_R2C: return cufftExecR2C(plan, static_cast<cufftReal*>(in), static_cast<cufftComplex*>(out));
    case CUFFT_C2R: return cufftExecC2R(plan, complex_in, static_cast<cufftReal*>(out));
    case CUFFT_Z2Z: return cufftExecZ2Z(plan, wide_in, static_cast<cufftDoubleComplex*>(out), direction);
    case CUFFT_D2Z: return cufftExecD2Z(plan, static_cast<cufftDoubleReal*>(in), static_cast<cufftDoubleComplex*>(out));
    case CUFFT_Z2D: return cufftExecZ2D(plan, wide_in, static_cast<cufftDoubleReal*>(out));
  }
  return CUFFT_INVALID_TYPE;
}

#define HIRACE_NO(name) HIRACE_UNSUPPORTED_FUNCTION(cufftResult, name, HIRACE_ADVICE)
#define HIRACE_ADVICE "it has one device; plan and transform with the functions of cufft.h"
HIRACE_NO(cufftXtSetGPUs)
HIRACE_NO(cufftXtMalloc)
HIRACE_NO(cufftXtMemcpy)
HIRACE_NO(cufftXtFree)
HIRACE_NO(cufftXtExecDescriptorC2C)
HIRACE_NO(cufftXtExecDescriptorZ2Z)
HIRACE_NO(cufftXtExecDescriptorR2C)
HIRACE_NO(cufftXtExecDescriptorC2R)
#undef HIRACE_ADVICE
#define HIRACE_ADVICE "transform the data in a kernel before and after"
HIRACE_NO(cufftXtSetCallback)
#undef HIRACE_ADVICE
#undef HIRACE_NO
