// The arguments of a kernel launch.
#pragma once

#include <cstdint>
#include <cstring>

#include "driver.h"
#include "host.h"

namespace hirace::gpu {

// Calls `visit(bytes, count)` with the bytes of each argument; never if the driver does not provide
// the arguments' sizes.
template <class Visit>
void visit_arguments(const KernelCall& call, const Visit& visit) {
  using GetParameter = CUresult (*)(CUkern_st*, std::size_t index, std::size_t* offset, std::size_t* bytes);
  static const auto get_parameter = driver_function<GetParameter>("cuKernelGetParamInfo", 12040);
  if (get_parameter == nullptr || call.kernel == nullptr) return;
  std::size_t offset = 0, bytes = 0;
  for (std::size_t i = 0; get_parameter(call.kernel, i, &offset, &bytes) == CUDA_SUCCESS; ++i) {
    visit(static_cast<const unsigned char*>(call.arguments[i]), bytes);
  }
}

// Calls `visit` with every value in the arguments that may be a pointer, and its position.
template <class Visit>
void visit_words(const KernelCall& call, const Visit& visit) {
  visit_arguments(call, [&](const unsigned char* argument, std::size_t bytes) {
    std::uintptr_t word = 0;
    for (std::size_t at = 0; at + sizeof word <= bytes; at += sizeof word) {
      std::memcpy(&word, argument + at, sizeof word);
      visit(word);
    }
  });
}

}  // namespace hirace::gpu
