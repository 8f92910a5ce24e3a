// The definition of loaded_module.h that needs the executor.
#pragma once

#include "check/shadow_memory.h"
#include "loaded_module.h"

namespace hirace::cpu::loaded {

HIRACE_RUNTIME bool monitor_section(const char* begin, const char* end) {
  constexpr auto owner = RegisteredMemory::Owner::device;
  const auto bytes = static_cast<std::size_t>(end - begin);
  return registered_memory().add(reinterpret_cast<std::uintptr_t>(begin), bytes, shadow_memory().registered_bytes(), owner);
}

}  // namespace hirace::cpu::loaded
