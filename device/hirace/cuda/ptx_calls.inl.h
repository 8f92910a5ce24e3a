// The definitions of ptx_calls.h.
#pragma once

#include "ptx_calls.h"
#include "ptx_library.h"

namespace hirace::cpu::ptx::called {

HIRACE_RUNTIME std::int32_t vprintf(const char* format, const void* values) {
  return library::print(format, static_cast<const unsigned char*>(values));
}

}  // namespace hirace::cpu::ptx::called
