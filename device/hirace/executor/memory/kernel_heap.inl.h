// The definitions of kernel_heap.h.
#pragma once

#include <cstdlib>

#include "../check/fault_record.h"
#include "device_heap.h"
#include "kernel_heap.h"

namespace hirace::cpu {

HIRACE_RUNTIME bool is_from_kernel(const volatile void* pointer) {
  return arena().contains(reinterpret_cast<std::uintptr_t>(pointer));
}

HIRACE_RUNTIME void* kernel_malloc(std::size_t bytes) {
  if (!monitor.in_kernel) return std::malloc(bytes);
  if (bytes == 0) bytes = 1;
  return device_heap().allocate(bytes, MemoryKind::device);
}

HIRACE_RUNTIME void kernel_free(void* pointer) {
  if (!is_from_kernel(pointer)) {
    std::free(pointer);
  } else if (!device_heap().release(pointer)) {
    fail(Fault::use_after_free, monitor.site, reinterpret_cast<std::uintptr_t>(pointer));
  }
}

}  // namespace hirace::cpu
