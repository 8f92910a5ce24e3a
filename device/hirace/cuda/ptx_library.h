// Functions of the device's runtime library that PTX files call without defining them (PTX Writer's Guide to
// Interoperability, "System Calls"; CUDA's libcudadevrt for grids).
//
// As all functions of a PTX file they get the addresses of their results and parameters.
#pragma once

#include <assert.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../executor/memory/kernel_heap.h"
#include "../executor/scheduler/scheduler_interface.h"
#include "ptx.h"

namespace hirace::cpu::ptx::library {

using Bytes = unsigned char*;

template <class T>
inline T parameter(const unsigned char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
template <class T>
inline void result(Bytes at, T value) {
  std::memcpy(at, &value, sizeof value);
}

// The values after a format, each at a multiple of its size.
class Arguments {
 public:
  explicit Arguments(const unsigned char* all) : all_(all) {}
  template <class T>
  T next() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const T value = parameter<T>(all_ + at_);
    at_ += sizeof(T);
    ++count_;
    return value;
  }
  int count() const { return count_; }

 private:
  const unsigned char* all_;
  std::size_t at_ = 0;
  int count_ = 0;
};

// Prints one value by a conversion such as `%5.2f`, from which the widths that are arguments are gone.
template <class T>
inline void print_value(const std::string& conversion, T value) {
  // The compiler's format checks would require a literal.
  [&](auto print) { print(conversion.c_str(), value); }(&std::printf);
}

inline void print_conversion(std::string conversion, char kind, Arguments& arguments) {
  for (std::size_t star; (star = conversion.find('*')) != std::string::npos;) {
    conversion.replace(star, 1, std::to_string(arguments.next<s32>()));
  }
  const bool is_long = conversion.find_first_of("ljzt") != std::string::npos;
  switch (kind) {
    case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
      return print_value(conversion, arguments.next<f64>());
    case 's': return print_value(conversion, reinterpret_cast<const char*>(arguments.next<u64>()));
    case 'p': return print_value(conversion, reinterpret_cast<const void*>(arguments.next<u64>()));
    default:
      if (is_long) return print_value(conversion, arguments.next<s64>());
      return print_value(conversion, arguments.next<s32>());
  }
}

// The result of printf in a kernel is the number of values.
inline int print(const char* format, const unsigned char* values) {
  if (format == nullptr) return -1;
  Arguments arguments(values);
  while (*format != '\0') {
    const char* const text = format;
    while (*format != '\0' && *format != '%') ++format;
    std::fwrite(text, 1, static_cast<std::size_t>(format - text), stdout);
    if (*format == '\0') break;
    const std::size_t before = std::strspn(format + 1, "-+ #0123456789.*hljztL");
    const char kind = format[1 + before];
    if (kind == '\0') break;
    if (kind == '%') std::fputc('%', stdout);
    else print_conversion({format, before + 2}, kind, arguments);
    format += before + 2;
  }
  return arguments.count();
}

inline void vprintf(SiteId, Bytes to, Bytes format, Bytes values) {
  result<s32>(to, print(reinterpret_cast<const char*>(parameter<u64>(format)), reinterpret_cast<const unsigned char*>(parameter<u64>(values))));
}

inline void malloc(SiteId, Bytes to, Bytes bytes) { result(to, reinterpret_cast<std::uintptr_t>(kernel_malloc(parameter<u64>(bytes)))); }
inline void free(SiteId, Bytes pointer) { kernel_free(reinterpret_cast<void*>(parameter<u64>(pointer))); }

// Inlined, so that the fault has the line of the call.
__attribute__((always_inline)) inline void __assertfail(SiteId, Bytes message, Bytes file, Bytes line, Bytes function, Bytes) {
  const auto text = [](Bytes at) { return reinterpret_cast<const char*>(parameter<u64>(at)); };
  __assert_fail(text(message), text(file), parameter<u32>(line), text(function));
}

// Cooperative groups of the whole grid. The handle only has to differ from zero.
inline void cudaCGGetIntrinsicHandle(SiteId, Bytes handle, Bytes) { result<u64>(handle, 1); }
inline void cudaCGSynchronize(SiteId site, Bytes error, Bytes, Bytes) {
  grid_sync(site);
  result<u32>(error, 0);
}

}  // namespace hirace::cpu::ptx::library
