// The section that holds __device__ and __managed__ variables, so that they can be recognised by address.
#pragma once

#include "../../hooks/backend.h"
#include "array_shape.h"

// `used` keeps variables that are referenced only by the host's symbol functions. They stay in the order of their
// definitions, each followed by its gap; GCC would reverse it.
#if defined(__clang__)
#define HIRACE_DEVICE_VARIABLE __attribute__((__section__("hirace_device"), __used__))
#else
#define HIRACE_DEVICE_VARIABLE __attribute__((__section__("hirace_device"), __used__, __no_reorder__))
#endif

// The same for constants of PTX.
#define HIRACE_CONSTANT_VARIABLE __attribute__((__section__("hirace_constant"), __used__))

// The linker defines these if the sections exist.
extern "C" __attribute__((weak)) char __start_hirace_constant[];
extern "C" __attribute__((weak)) char __stop_hirace_constant[];
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

// Whether some variables of the section are managed.
inline bool has_managed_variables = false;
inline bool note_managed_variable() { return has_managed_variables = true; }

// How many bytes after a variable belong to no variable: most accesses beyond its end meet no other one.
constexpr std::size_t gap_bytes(std::size_t variable) { return variable < 64 ? 64 : variable < 4096 ? variable : 4096; }

// `key` differs between all variables of a program.
#define HIRACE_NAME_VARIABLE(variable, key)                                                                    \
  [[maybe_unused]] static const bool hirace_named_##key = ::hirace::cpu::name_variable(variable, key##u); \
  static HIRACE_DEVICE_VARIABLE char hirace_gap_##key[::hirace::cpu::gap_bytes(sizeof(variable))] = {};

// The same for one that the host may access, too.
#define HIRACE_NAME_MANAGED_VARIABLE(variable, key) \
  HIRACE_NAME_VARIABLE(variable, key)               \
  [[maybe_unused]] static const bool hirace_managed_##key = ::hirace::cpu::note_managed_variable();

inline char* device_section_begin() { return __start_hirace_device; }
inline char* device_section_end() { return __stop_hirace_device; }

}  // namespace hirace::cpu
