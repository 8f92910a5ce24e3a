// The result of printf() in a kernel (CUDA C++ Programming Guide, "Formatted Output"): the number
// of arguments after the format, not of characters.
#pragma once

#include <cstdio>

#include "../executor/check/thread.h"

namespace hirace::cpu {

template <class... Arguments>
int kernel_printf(const char* format, Arguments... arguments) {
  static_assert(sizeof...(Arguments) <= 32, "hirace: printf takes at most 32 arguments after the format in device code");
  if (format == nullptr) return -1;
  // The compiler's format checks would require a literal.
  const int characters = [&](auto print) { return print(format, arguments...); }(&std::printf);
  return monitor.in_kernel ? static_cast<int>(sizeof...(Arguments)) : characters;
}

}  // namespace hirace::cpu
