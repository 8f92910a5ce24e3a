// NVTX's names for objects of the CUDA runtime.
#pragma once

#include "../hirace.cuh"

#include "nvToolsExt.h"

#define HIRACE_NVTX(letter, character)                                   \
  inline void nvtxNameCudaDevice##letter(int, const character*) {}       \
  inline void nvtxNameCudaStream##letter(cudaStream_t, const character*) {} \
  inline void nvtxNameCudaEvent##letter(cudaEvent_t, const character*) {}
HIRACE_NVTX(A, char)
HIRACE_NVTX(W, wchar_t)
#undef HIRACE_NVTX

#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
