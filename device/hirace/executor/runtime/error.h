// cudaError_t and the last error of a host thread, with CUDA's numbers and texts.
#pragma once

#include "../../hooks/backend.h"
#include "error_codes.h"

enum cudaError {
#define HIRACE_CUDA_ERROR(name, number, text) name = number,
  HIRACE_CUDA_ERRORS(HIRACE_CUDA_ERROR)
#undef HIRACE_CUDA_ERROR
};
typedef cudaError cudaError_t;

const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaPeekAtLastError();
cudaError_t cudaGetLastError();

namespace hirace::cpu {

// Keeps an error until it is queried; the result of every runtime function passes through here.
// "Not ready" is not a failure and is not kept.
cudaError_t set_error(cudaError_t error);

// For unsupported features that can only be detected at run time.
cudaError_t not_supported(const char* what, const char* advice);

}  // namespace hirace::cpu

struct CUstream_st;
struct CUevent_st;
typedef CUstream_st* cudaStream_t;
typedef CUevent_st* cudaEvent_t;
