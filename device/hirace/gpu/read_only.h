// Global memory that a launch cannot write: reads of it cannot race.
//
//   x = a[i];  →  x = hirace::read_of_parameter(SITE, 2, a[i]);    `a` is the third parameter
//
// As on the CPU (executor/check/read_only_memory.h), a kernel can only read an array if no
// parameter leads to pointers in memory, and every parameter that leads to the array is a pointer
// to constants. The kernel knows the types at compile time; the host has looked up in the driver
// which arguments lead to one array (arguments.h). A kernel combines both when it begins, once per
// block, and keeps in shared memory the extent of the array of each parameter that it may rely on.
//
// # Why no race is missed
//
// A read is unchecked only if it is inside such an extent. So it does not matter which parameter
// the instrumenter names: with a wrong name, or an index beyond the array's bounds, the read finds
// another extent or none, and is checked. The extent is not written
//
// 1. through a parameter: one that leads there and may write excludes the array. Pointers that
//    lead to no allocation known to the driver may refer to any, so they exclude all arrays.
//    64-bit arguments that happen to be addresses in the array count as such pointers;
// 2. through a pointer in memory: parameters lead to none, since their types contain none. If
//    the instrumenter finds one in a device variable, the kernel's reads are all checked;
// 3. through another launch: only one runs at a time. A launch that is not announced, whose
//    accesses are not checked, has extents only if it has the same arguments.
//
// A cast can defeat the types, and memory can be written beyond the bounds of another array. So the
// first write to every granule, which always changes its word, checks whether it is in an extent;
// the report then says that earlier reads were not checked.
#pragma once

#include "../hooks/access.h"
#include "../hooks/parameters.h"

namespace hirace::gpu {

// The minimum size of an allocation, so that every access fits into it.
constexpr std::size_t min_extent = 256;
// No address is this high.
constexpr Extent no_extent{std::uintptr_t{1} << 63, min_extent};

__device__ __forceinline__ Extent* parameter_extents() { return block_context().extents; }

// Parameters of a kernel, one bit each.
struct ParameterKinds {
  std::uint32_t readers;  // pointers to constants
  std::uint32_t writers;  // other pointers
  std::uint32_t words;    // 64-bit values

  template <class... Parameters>
  HIRACE_FUNCTION static constexpr ParameterKinds of() {
    ParameterKinds kinds{0, 0, 0};
    std::uint32_t bit = 1;
    ((kinds.add<Parameters>(bit), bit <<= 1), ...);
    return kinds;
  }

 private:
  template <class Parameter>
  HIRACE_FUNCTION constexpr void add(std::uint32_t bit) {
    if (hirace::detail::points_to_constant<Parameter>) readers |= bit;
    if (hirace::detail::is_pointer<Parameter> && (readers & bit) == 0) writers |= bit;
    if (sizeof(Parameter) == sizeof(std::uint64_t)) words |= bit;
  }
};

// Finds the extents of parameters; on entry, `begin` of each holds the parameter's value. Returns
// the set of parameters that have one.
inline __device__ __noinline__ std::uint32_t choose_extents(std::uint32_t count, ParameterKinds kinds) {
  Extent* const extents = parameter_extents();
  std::uint32_t found = 0;
  if (device_state != nullptr && device_state->launch.arguments == count) {
    const Argument* const arguments = device_state->launch.argument;
    bool known = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t bit = std::uint32_t{1} << i;
      const Argument& argument = arguments[i];
      if ((kinds.words & bit) != 0 && argument.value != extents[i].begin) known = false;
      if ((kinds.writers & bit) != 0 && argument.value != 0 && argument.bytes == 0) known = false;
      const bool written = (argument.leading_there & kinds.words & ~kinds.readers) != 0;
      if ((kinds.readers & bit) != 0 && argument.bytes >= min_extent && !written) found |= bit;
    }
    if (!known) found = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      if ((found >> i & 1) != 0) extents[i] = {arguments[i].begin, arguments[i].bytes};
    }
  }
  for (std::uint32_t i = 0; i < max_arguments; ++i) {
    if ((found >> i & 1) == 0) extents[i] = no_extent;
  }
  return found;
}

template <class Parameter>
__device__ __forceinline__ std::uintptr_t bits_of(const Parameter& parameter) {
  std::uintptr_t bits = 0;
  if constexpr (sizeof parameter == sizeof bits && std::is_trivially_copyable_v<Parameter>) ::memcpy(&bits, &parameter, sizeof bits);
  return bits;
}

// Called by a block's first thread, before the others begin.
template <class... Parameters>
__device__ __forceinline__ std::uint32_t find_extents(const Parameters&... parameters) {
  if constexpr (hirace::detail::may_only_read<Parameters...> && sizeof...(Parameters) <= max_arguments) {
    Extent* extent = parameter_extents();
    ((extent++->begin = bits_of(parameters)), ...);
    return choose_extents(sizeof...(Parameters), ParameterKinds::of<Parameters...>());
  } else {
    return choose_extents(0, ParameterKinds{});
  }
}

// Whether `size` bytes, read through a parameter according to the instrumenter, cannot be written
// while the launch runs.
template <std::size_t size>
HIRACE_HOOK bool cannot_be_written(unsigned parameter, const volatile void* pointer) {
#ifdef __CUDA_ARCH__
  if constexpr (size <= min_extent) {
    const Extent extent = parameter_extents()[parameter];
    return reinterpret_cast<std::uintptr_t>(pointer) - extent.begin <= extent.bytes - size;
  }
#endif
  static_cast<void>(parameter), static_cast<void>(pointer);
  return false;
}

}  // namespace hirace::gpu

namespace hirace {

// read(), copy() and read_argument() of an object reached through a parameter that points to constants.
#define HIRACE_PARAMETER_HOOK(hook, name)                                                     \
  template <class T>                                                                          \
  HIRACE_HOOK T& name(SiteId site, unsigned parameter, T& lvalue) {                           \
    if constexpr (detail::is_access<T>) {                                                     \
      const volatile void* const place = (const volatile void*)__builtin_addressof(lvalue);   \
      if (gpu::cannot_be_written<sizeof(T)>(parameter, place)) return lvalue;                 \
    }                                                                                         \
    return hirace::hook(site, lvalue);                                                        \
  }                                                                                           \
  template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>                \
  HIRACE_HOOK T name(SiteId, unsigned, T&& temporary) {                                       \
    return static_cast<T&&>(temporary);                                                       \
  }
HIRACE_PARAMETER_HOOK(read, read_of_parameter)
HIRACE_PARAMETER_HOOK(copy, copy_of_parameter)
HIRACE_PARAMETER_HOOK(read_argument, read_argument_of_parameter)
#undef HIRACE_PARAMETER_HOOK

}  // namespace hirace
