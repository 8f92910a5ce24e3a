// The memory that a kernel can reach through its parameters, as far as their types show.
#pragma once

#include <type_traits>

#include "values.h"

namespace hirace::detail {

template <class T, class = void>
struct HoldsNoPointer : std::bool_constant<std::is_function_v<T>> {};
// A class that is aligned less strictly than a pointer holds none; this is not used where classes
// are packed. Vectors hold none either, whatever their alignment.
template <class T>
struct HoldsNoPointer<T, std::void_t<decltype(sizeof(T))>>
    : std::bool_constant<std::is_arithmetic_v<T> || std::is_enum_v<T> || IsVector<T>::value ||
                         ((std::is_class_v<T> || std::is_union_v<T>)&&alignof(T) < alignof(void*))> {};

template <class T>
constexpr bool holds_no_pointer = HoldsNoPointer<std::remove_cv_t<std::remove_all_extents_t<T>>>::value;

// Whether the memory that a parameter points to is all that a kernel can reach through it.
template <class Parameter>
constexpr bool leads_no_further() {
  using T = std::remove_cv_t<Unrestricted<Parameter>>;
  if constexpr (std::is_pointer_v<T>) {
    return holds_no_pointer<std::remove_pointer_t<T>>;
  } else {
    return holds_no_pointer<T>;
  }
}

template <class Parameter>
constexpr bool is_pointer = std::is_pointer_v<Unrestricted<Parameter>>;

template <class Parameter>
constexpr bool points_to_constant =
    is_pointer<Parameter> && std::is_const_v<std::remove_all_extents_t<std::remove_pointer_t<Unrestricted<Parameter>>>> &&
    !std::is_volatile_v<std::remove_all_extents_t<std::remove_pointer_t<Unrestricted<Parameter>>>>;

// Whether a kernel with these parameters may have arrays that it can only read, and has no
// pointers other than its parameters.
template <class... Parameters>
constexpr bool may_only_read = (points_to_constant<Parameters> || ...) && (leads_no_further<Parameters>() && ...);

}  // namespace hirace::detail

namespace hirace {

// A parameter that the kernel only reads through, as far as its text shows.
template <class T>
HIRACE_FUNCTION constexpr const T* as_constant(T* pointer) {
  return pointer;
}

}  // namespace hirace
