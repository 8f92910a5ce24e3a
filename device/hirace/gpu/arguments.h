// Facts about the arguments of a launch that a kernel needs: which of them lead to the same memory.
// Their types the kernel knows itself (read_only.h).
#pragma once

#include "kernel_call.h"
#include "memory_range.h"
#include "state.h"

namespace hirace::gpu {

// Whether a pointer may refer to an allocation: it leads into it, or to an element before it, as
// when an array is indexed from 1. Memory after an allocation belongs to the next one.
inline bool leads_to(std::uintptr_t pointer, const MemoryRange& range) {
  constexpr std::size_t before = 16;
  return pointer + before - range.begin < range.bytes + before;
}

// Looks up arguments that may be pointers; none if the arguments are unknown or too many.
inline void describe_arguments(const KernelCall* call, LaunchState& launch) {
  launch.arguments = 0;
  if (call == nullptr) return;
  std::uint32_t count = 0;
  visit_arguments(*call, [&](const unsigned char* bytes, std::size_t size) {
    if (count++ >= max_arguments) return;
    Argument& argument = launch.argument[count - 1];
    argument = Argument{};
    if (size != sizeof argument.value) return;
    std::memcpy(&argument.value, bytes, size);
    const auto range = range_of(argument.value);
    if (!range) return;
    argument.begin = range->begin;
    argument.bytes = range->bytes;
  });
  if (count > max_arguments) return;
  launch.arguments = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    Argument& argument = launch.argument[i];
    for (std::uint32_t j = 0; j < count && argument.bytes != 0; ++j) {
      if (leads_to(launch.argument[j].value, {argument.begin, argument.bytes})) argument.leading_there |= 1u << j;
    }
  }
}

}  // namespace hirace::gpu
