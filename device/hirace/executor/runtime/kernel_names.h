// The names of kernels that a program launches by a pointer, and the places of launches in macros.
#pragma once

#include <type_traits>

#include "../../hooks/backend.h"
#include "../../hooks/launch.h"

namespace hirace::cpu {

// From the symbols of the program; null if it has none for the address.
const char* kernel_at(const void* address);

// A launch in the text of a macro: the site is there, and the debug information has the line at which the macro is used.
__attribute__((noinline)) inline LaunchInfo in_macro(LaunchInfo info) {
  info.code = static_cast<const char*>(__builtin_return_address(0)) - 1;
  return info;
}

// Replaces the name of a pointer by that of the kernel.
template <class Callee>
LaunchInfo by_pointer(LaunchInfo info, const Callee& callee) {
  using Pointer = std::decay_t<Callee>;
  if constexpr (std::is_pointer_v<Pointer> && std::is_function_v<std::remove_pointer_t<Pointer>>) {
    const Pointer pointer = callee;
    if (const char* const name = kernel_at(reinterpret_cast<const void*>(pointer))) info.kernel = name;
  }
  return info;
}

}  // namespace hirace::cpu
