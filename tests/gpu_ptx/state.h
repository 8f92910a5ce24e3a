// What the parts of this CUDA runtime share. Its interface is that of NVIDIA's headers, so that the host side of a
// program links as nvcc compiled it. Its device runs translated PTX, thread by thread, on the CPU executor.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <utility>

#include "executor.h"

namespace ptx_gpu {

struct State {
  cudaError_t last_error = cudaSuccess;
  std::map<const void*, const void*> kernels;    // by the host function that stands for them
  std::map<const void*, void*> variables;        // by the host variable that stands for them
  std::map<std::uintptr_t, std::size_t> memory;  // allocations
  std::map<const void*, std::size_t> dynamic_allowed;  // of kernels for which it was changed
};

// Never destroyed, because code that runs at exit uses it.
inline State& state() {
  static State* const one = new State;
  return *one;
}

inline cudaError_t ended(cudaError_t error) {
  if (error != cudaSuccess) state().last_error = error;
  return error;
}
inline cudaError_t ended(bool succeeded) { return ended(succeeded ? cudaSuccess : cudaErrorInvalidValue); }

constexpr std::size_t default_dynamic = 48 << 10, max_shared = 227 << 10;

inline std::size_t allowed_dynamic(const void* kernel) {
  const auto changed = state().dynamic_allowed.find(kernel);
  return changed != state().dynamic_allowed.end() ? changed->second : default_dynamic;
}

// A function of the driver, which the runtime looks up by name; null if this one does not have it.
void* driver_function(const char* name);

}  // namespace ptx_gpu
