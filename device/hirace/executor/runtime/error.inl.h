// The definitions of error.h.
#pragma once

#include <cstdio>

#include "../check/thread.h"
#include "error.h"

namespace hirace::cpu {

inline thread_local cudaError_t last_error = cudaSuccess;
// For kernels that this OS thread runs, which may be the host's thread.
inline thread_local cudaError_t last_kernel_error = cudaSuccess;

inline cudaError_t& error_slot() { return monitor.in_kernel ? last_kernel_error : last_error; }

HIRACE_RUNTIME cudaError_t set_error(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) error_slot() = error;
  return error;
}

HIRACE_RUNTIME cudaError_t not_supported(const char* what, const char* advice) {
  std::fprintf(stderr, "hirace: %s is not supported by the CPU executor: %s\n", what, advice);
  return set_error(cudaErrorNotSupported);
}

}  // namespace hirace::cpu

HIRACE_RUNTIME const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define HIRACE_CUDA_ERROR(name, number, text) \
  case name: return #name;
    HIRACE_CUDA_ERRORS(HIRACE_CUDA_ERROR)
#undef HIRACE_CUDA_ERROR
  }
  return "unrecognized error code";
}

HIRACE_RUNTIME const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define HIRACE_CUDA_ERROR(name, number, text) \
  case name: return text;
    HIRACE_CUDA_ERRORS(HIRACE_CUDA_ERROR)
#undef HIRACE_CUDA_ERROR
  }
  return "unrecognized error code";
}

HIRACE_RUNTIME cudaError_t cudaPeekAtLastError() { return hirace::cpu::error_slot(); }
HIRACE_RUNTIME cudaError_t cudaGetLastError() {
  cudaError_t& slot = hirace::cpu::error_slot();
  const cudaError_t error = slot;
  slot = cudaSuccess;
  return error;
}
