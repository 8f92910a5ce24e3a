// The section that holds __device__ and __managed__ variables, so that they can be recognised by address.
#pragma once

#include "../../hooks/backend.h"
#include "array_shape.h"

// `used` keeps variables that are referenced only by the host's symbol functions.
#define HIRACE_DEVICE_VARIABLE __attribute__((__section__("hirace_device"), __used__))

// The linker defines these if the section exists.
extern "C" __attribute__((weak)) char __start_hirace_device[];
extern "C" __attribute__((weak)) char __stop_hirace_device[];

// The bounds of the program, or of the library that this is compiled into.
extern "C" __attribute__((visibility("hidden"))) char __ehdr_start[];
extern "C" __attribute__((visibility("hidden"))) char _end[];

namespace hirace::cpu {

void register_variable(const volatile void* begin, std::size_t bytes, std::uint64_t key, const ArrayShape& shape);

// Before main(), for each variable of the section; `key`: as in SharedVariable.
template <class T>
bool name_variable(T& variable, std::uint64_t key) {
  register_variable(&reinterpret_cast<const volatile char&>(variable), sizeof variable, key, shape_of<T>());
  return true;
}

// So many bytes beside a variable belong to no variable, so that most accesses beyond its end meet no other one.
// Compilers write variables in the order of their definitions, or in the reverse order: the gap that is defined
// after one variable is behind that one or behind the one before, and what is defined here is behind the first.
constexpr std::size_t most_gap_bytes = 4096;
constexpr std::size_t gap_bytes(std::size_t variable) { return variable < 64 ? 64 : variable < most_gap_bytes ? variable : most_gap_bytes; }
static HIRACE_DEVICE_VARIABLE char first_gap[most_gap_bytes] = {};

// `key` differs between all variables of a program.
#define HIRACE_NAME_VARIABLE(variable, key)                                                                    \
  [[maybe_unused]] static const bool hirace_named_##key = ::hirace::cpu::name_variable(variable, key##u); \
  static HIRACE_DEVICE_VARIABLE char hirace_gap_##key[::hirace::cpu::gap_bytes(sizeof(variable))] = {};

inline char* device_section_begin() { return __start_hirace_device; }
inline char* device_section_end() { return __stop_hirace_device; }

}  // namespace hirace::cpu
