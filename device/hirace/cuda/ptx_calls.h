// Calls in inline PTX: of functions of the program, and of the device's runtime library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include "../executor/memory/kernel_heap.h"
#include "../hooks/backend.h"

extern "C" [[noreturn]] void __assert_fail(const char* message, const char* file, unsigned line, const char* function) noexcept;

namespace hirace::cpu::ptx {

// Where a function without a result leaves it.
struct NoResult {};
inline NoResult no_result;

// A parameter of a function from the bytes of a register or of a variable. A reference is passed as an address.
template <class Parameter>
class Passed {
 public:
  template <class Given>
  explicit Passed(const Given& given) {
    static_assert(sizeof(Given) >= sizeof(Value) || std::is_integral_v<Parameter>, "a parameter of the call in inline PTX is too small");
    std::memcpy(bytes_, &given, sizeof(Given) < sizeof(Value) ? sizeof(Given) : sizeof(Value));
  }
  Parameter value() {
    Value* const value = std::launder(reinterpret_cast<Value*>(bytes_));
    if constexpr (std::is_reference_v<Parameter>) {
      return static_cast<Parameter>(**value);
    } else {
      return *value;
    }
  }

 private:
  using Value = std::conditional_t<std::is_reference_v<Parameter>, std::remove_reference_t<Parameter>*, std::remove_cv_t<Parameter>>;
  alignas(Value) unsigned char bytes_[sizeof(Value)] = {};
};

// The result of a function in a register or a variable; small integers are extended to 32 bits.
template <class Result, class To>
void keep_result(const Result& result, To& to) {
  if constexpr (std::is_integral_v<Result> && sizeof(Result) < sizeof(std::int32_t)) {
    keep_result(static_cast<std::int32_t>(result), to);
  } else if constexpr (!std::is_same_v<To, NoResult>) {
    std::memcpy(&to, &result, sizeof(To) < sizeof(Result) ? sizeof(To) : sizeof(Result));
  }
}

template <class Result, class... Parameters, class To, class... Given>
void call(Result (*function)(Parameters...), To& to, const Given&... given) {
  static_assert(sizeof...(Parameters) == sizeof...(Given), "inline PTX calls a function with the wrong number of parameters");
  if constexpr (std::is_void_v<Result>) {
    function(Passed<Parameters>(given).value()...);
  } else if constexpr (std::is_reference_v<Result>) {
    keep_result(&function(Passed<Parameters>(given).value()...), to);
  } else {
    keep_result(function(Passed<Parameters>(given).value()...), to);
  }
}

// PTX Writer's Guide to Interoperability, "System Calls".
namespace called {

// Prints values, each at a multiple of its size. Returns their number.
std::int32_t vprintf(const char* format, const void* values);

inline void* malloc(std::size_t bytes) { return kernel_malloc(bytes); }
inline void free(void* pointer) { kernel_free(pointer); }

// Inlined, so that the fault has the line of the call.
__attribute__((always_inline)) inline void __assertfail(const char* message, const char* file, std::uint32_t line, const char* function,
                                                        std::size_t) {
  __assert_fail(message, file, line, function);
}

}  // namespace called

}  // namespace hirace::cpu::ptx
