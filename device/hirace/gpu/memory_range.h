// The start and size of the allocation around an address, from the driver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "driver.h"

namespace hirace::gpu {

struct MemoryRange {
  std::uintptr_t begin;
  std::size_t bytes;
};

inline std::optional<MemoryRange> range_of(std::uintptr_t address) {
  static const auto attribute = driver_function<PFN_cuPointerGetAttribute_v4000>("cuPointerGetAttribute", 4000);
  CUdeviceptr begin = 0;
  std::size_t bytes = 0;
  if (attribute == nullptr || attribute(&begin, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) != CUDA_SUCCESS ||
      attribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address) != CUDA_SUCCESS || bytes == 0) {
    return {};
  }
  return MemoryRange{static_cast<std::uintptr_t>(begin), bytes};
}

}  // namespace hirace::gpu
