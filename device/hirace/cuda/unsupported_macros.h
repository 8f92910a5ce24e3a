// Names of CUDA that the executor does not have: using one is a compile-time error
// that says so, at the line that uses it.
//
//   HIRACE_UNSUPPORTED_FUNCTION(type, name, advice)   a call is an error
//   HIRACE_UNSUPPORTED_TYPE(name, advice)             so is an object
//
// A function that is never called costs nothing, and one of the program with the same
// name and parameters wins over it, because these are templates. What is in a namespace
// stands there: open the namespace around the macro.
#pragma once

namespace hirace::cpu {

// The result of a function that cannot be called: fits wherever its call stands.
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
// The name alone, in a message about an incomplete type.
#define HIRACE_UNSUPPORTED_TYPE(name, advice) struct name;
#endif
