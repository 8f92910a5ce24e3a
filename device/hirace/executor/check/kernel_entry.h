// Runs at the start of a kernel: finds memory that it can only read (read_only_memory.h).
#pragma once

#include "../../hooks/parameters.h"
#include "thread.h"

namespace hirace::cpu {

// A kernel parameter that is a pointer, or null.
struct KernelPointer {
  const volatile void* address;
  bool constant;
};

void enter_kernel_slowly(const KernelPointer* pointers, std::size_t count);

// The first statement of a kernel, with the kernel's parameters.
template <class... Parameters>
HIRACE_HOOK void enter_kernel(const Parameters&... parameters) {
  if constexpr (hirace::detail::may_only_read<Parameters...>) {
    if (__builtin_expect(monitor.at_kernel_entry, 0)) {
      const auto pointer = [](const auto& parameter) -> KernelPointer {
        using T = std::decay_t<decltype(parameter)>;
        if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>) {
          return {parameter, hirace::detail::points_to_constant<T>};
        } else {
          return {nullptr, true};
        }
      };
      const KernelPointer pointers[] = {pointer(parameters)...};
      enter_kernel_slowly(pointers, sizeof...(parameters));
    }
  }
}

}  // namespace hirace::cpu
