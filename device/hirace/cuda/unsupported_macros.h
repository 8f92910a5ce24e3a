// CUDA names that the executor does not support: using one is a compile-time error with a message,
// at the line that uses it.
//
//   HIRACE_UNSUPPORTED_FUNCTION(type, name, advice)   a call is an error
//   HIRACE_UNSUPPORTED_TYPE(name, advice)             so is creating an object
//
// A function that is never called costs nothing, and the program's own function with the same name
// and parameters is preferred, because these are templates. For a name in a namespace, open the
// namespace around the macro.
#pragma once

namespace hirace::cpu {

// The result of a function that cannot be called: it converts to any type.
struct Unsupported {
  template <class T>
  operator T() const;
};

}  // namespace hirace::cpu

#define HIRACE_UNSUPPORTED_TEXT(name, advice) "hirace: " #name " is not supported by the CPU executor: " advice

#define HIRACE_UNSUPPORTED_FUNCTION(type, name, advice) \
  template <class... Arguments>                         \
  __attribute__((error(HIRACE_UNSUPPORTED_TEXT(name, advice)))) type name(Arguments&&... arguments);

#if defined(__has_attribute) && __has_attribute(unavailable)
#define HIRACE_UNSUPPORTED_TYPE(name, advice) \
  struct __attribute__((unavailable(HIRACE_UNSUPPORTED_TEXT(name, advice)))) name {};
#else
// Only the name appears, in a message about an incomplete type.
#define HIRACE_UNSUPPORTED_TYPE(name, advice) struct name;
#endif
