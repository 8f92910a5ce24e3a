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
    // A call is before its return address.
    const void* const call = static_cast<const char*>(__builtin_return_address(0)) - 1;
    fail_at(Fault::use_after_free, unknown_site, reinterpret_cast<std::uintptr_t>(pointer), call);
  }
}

}  // namespace hirace::cpu
