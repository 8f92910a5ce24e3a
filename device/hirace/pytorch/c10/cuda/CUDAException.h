// What PyTorch's header of this name does with the results of the runtime.
#pragma once
#pragma GCC system_header

#include <c10/util/Exception.h>

#include "../../../hirace.cuh"

#define C10_CUDA_CHECK(expression)                                                   \
  do {                                                                               \
    const cudaError_t hirace_error = expression;                                     \
    TORCH_CHECK(hirace_error == cudaSuccess, "CUDA error: ", cudaGetErrorString(hirace_error)); \
  } while (0)
#define C10_CUDA_CHECK_WARN(expression)                                                    \
  do {                                                                                     \
    const cudaError_t hirace_error = expression;                                           \
    if (hirace_error != cudaSuccess) TORCH_WARN("CUDA warning: ", cudaGetErrorString(hirace_error)); \
  } while (0)
#define C10_CUDA_ERROR_HANDLED(expression) expression
#define C10_CUDA_IGNORE_ERROR(expression) (void)(expression)
#define C10_CUDA_CLEAR_ERROR() (void)cudaGetLastError()
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
