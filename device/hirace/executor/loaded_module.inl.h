// The definitions of loaded_module.h that need the executor.
#pragma once

#include <dlfcn.h>

#include "check/shadow_memory.h"
#include "loaded_module.h"
#include "runtime/kernel_registry.inl.h"

// A static program, which loads no modules, does not have it.
#pragma weak dladdr

namespace hirace::cpu::loaded {

HIRACE_RUNTIME bool monitor_section(const char* begin, const char* end) {
  constexpr auto owner = RegisteredMemory::Owner::device;
  if (begin == end) return false;
  const auto bytes = static_cast<std::size_t>(end - begin);
  return registered_memory().add(reinterpret_cast<std::uintptr_t>(begin), bytes, shadow_memory().registered_bytes(), owner);
}

HIRACE_RUNTIME bool add_expression(const char* expression, const void* address, std::size_t bytes) {
  std::string name = expression[0] == '&' ? expression + 1 : expression;
  Dl_info object{};
  // A variable outside of namespaces has its own name, and the first one of a section may have the section's, too.
  const bool is_outer_variable = bytes != 0 && name.find("::") == std::string::npos;
  if (!is_outer_variable && dladdr != nullptr && dladdr(address, &object) != 0 && object.dli_saddr == address) name = object.dli_sname;
  current().names.emplace(expression, name);
  const KnownKernel* const known = kernel_registry().find(address);
  if (known == nullptr) return add_variable({name, const_cast<void*>(address), bytes});
  Kernel kernel{name, {}, false, nullptr, address};
  std::size_t end = 0;
  for (std::size_t number = 0; number < known->type.parameters; ++number) {
    const std::size_t begin = round_up(end, known->type.alignments[number]);
    end = begin + known->type.bytes[number];
    kernel.parameters.push_back({known->type.bytes[number], begin});
  }
  return add_kernel(kernel);
}

}  // namespace hirace::cpu::loaded
