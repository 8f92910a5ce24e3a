// The driver's functions by name, for programs that are not linked with the driver (CUDA Runtime API, "Driver Entry Point
// Access").
#pragma once

#include "error.h"

enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess = 0,
  cudaDriverEntryPointSymbolNotFound = 1,
  cudaDriverEntryPointVersionNotSufficent = 2
};
enum { cudaEnableDefault = 0, cudaEnableLegacyStream = 1, cudaEnablePerThreadDefaultStream = 2 };

namespace hirace::cpu {

// Set by <cuda.h>, without which a program has no types for them.
inline void* (*find_driver_function)(const char* name) = nullptr;

}  // namespace hirace::cpu

inline cudaError_t cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long,
                                           cudaDriverEntryPointQueryResult* found = nullptr) {
  if (name == nullptr || function == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (hirace::cpu::find_driver_function == nullptr) {
    return hirace::cpu::not_supported("a driver function in a program without <cuda.h>", "include <cuda.h>");
  }
  *function = hirace::cpu::find_driver_function(name);
  const bool has = *function != nullptr;
  if (found != nullptr) *found = has ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  // The status tells of a function that is missing.
  return has || found != nullptr ? cudaSuccess : hirace::cpu::set_error(cudaErrorSymbolNotFound);
}
inline cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** function, unsigned int, unsigned long long flags,
                                                    cudaDriverEntryPointQueryResult* found = nullptr) {
  return cudaGetDriverEntryPoint(name, function, flags, found);
}
