// Which accesses the use of a whole object makes, derived from its type.
//
// Using the value of a number or a pointer loads it. Using an object of a class does not:
// the object is passed to an operator, a constructor or a conversion, whose own body is
// instrumented. The object is accessed in full only if the language itself copies it byte
// by byte, in a trivial constructor or assignment. The bodies of library classes are not
// instrumented, so every use of their objects counts as an access in full.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <type_traits>

#include "backend.h"
#include "indices.h"

namespace hirace::detail {

// A type without `__restrict__`: for the traits of the standard library, a pointer that has it is none.
template <class T>
struct WithoutRestrict {
  using type = T;
};
template <class T>
struct WithoutRestrict<T* __restrict__> {
  using type = T*;
};
template <class T>
struct WithoutRestrict<T* const __restrict__> {
  using type = T* const;
};
template <class T>
struct WithoutRestrict<T* volatile __restrict__> {
  using type = T* volatile;
};
template <class T>
struct WithoutRestrict<T* const volatile __restrict__> {
  using type = T* const volatile;
};
template <class T>
using Unrestricted = typename WithoutRestrict<T>::type;

template <class T, class Component, class = void>
struct Components : std::integral_constant<std::size_t, 0> {};

// The number of members x, y, z, w that a class has, all of the same arithmetic type.
#define HIRACE_COMPONENT(name)                                                                          \
  template <class T, class Component, class = void>                                                     \
  struct Has_##name : std::false_type {};                                                               \
  template <class T, class Component>                                                                   \
  struct Has_##name<T, Component, std::enable_if_t<std::is_same_v<decltype(T::name), Component>>> : std::true_type {};

HIRACE_COMPONENT(x)
HIRACE_COMPONENT(y)
HIRACE_COMPONENT(z)
HIRACE_COMPONENT(w)

#undef HIRACE_COMPONENT

template <class T, class Component>
struct Components<T, Component, std::enable_if_t<std::is_arithmetic_v<Component>>>
    : std::integral_constant<std::size_t, Has_x<T, Component>::value + Has_y<T, Component>::value +
                                              Has_z<T, Component>::value + Has_w<T, Component>::value> {};

template <class T, class = void>
struct IsVector : std::false_type {};

template <class T>
struct IsVector<T, std::enable_if_t<std::is_aggregate_v<T> && std::is_arithmetic_v<decltype(T::x)>>>
    : std::bool_constant<std::is_trivially_copyable_v<T> &&
                         Components<T, decltype(T::x)>::value * sizeof(decltype(T::x)) == sizeof(T)> {};

// In the compiler's own spelling of this function, `T = ` or `T=` precedes the name of `T`.
template <class T>
HIRACE_HOOK constexpr const char* spelled_type() {
  const char* text = __PRETTY_FUNCTION__;
  while (*text != '\0' && *text != '=') ++text;
  while (*text == '=' || *text == ' ' || *text == ':') ++text;
  return text;
}

HIRACE_HOOK constexpr bool begins_with(const char* text, const char* word) {
  while (*word != '\0') {
    if (*text++ != *word++) return false;
  }
  return true;
}

HIRACE_HOOK constexpr bool contains(const char* text, const char* word) {
  for (; *text != '\0'; ++text) {
    if (begins_with(text, word)) return true;
  }
  return false;
}

// Whether a class comes from a library that is not instrumented. Objects that
// synchronise themselves, such as cuda::atomic, are excluded: they cannot race.
template <class T>
HIRACE_HOOK constexpr bool comes_from_library() {
  const char* name = spelled_type<T>();
  bool found = false;
  for (const char* prefix : {"std::", "cuda::", "thrust::", "cub::", "__half", "__nv_"}) {
    found = found || begins_with(name, prefix);
  }
  for (const char* word : {"atomic", "barrier", "semaphore", "latch", "pipeline"}) {
    found = found && !contains(name, word);
  }
  return found;
}

template <class T, bool = std::is_class_v<T> || std::is_union_v<T>>
struct IsLibraryClass : std::false_type {};

template <class T>
struct IsLibraryClass<T, true> : std::bool_constant<comes_from_library<T>()> {};

template <class T>
constexpr bool is_library_class = IsLibraryClass<std::remove_cv_t<T>>::value;

// Numbers that are classes: half, bfloat16, complex.
template <class T>
HIRACE_HOOK constexpr bool is_library_number() {
  if constexpr (is_library_class<T>) {
    const char* name = spelled_type<std::remove_cv_t<T>>();
    return contains(name, "half") || begins_with(name, "__nv_") || contains(name, "complex");
  } else {
    return false;
  }
}

// Types that functions take by value: numbers, pointers, and vectors such as float4.
template <class T>
constexpr bool is_value = std::is_scalar_v<T> || IsVector<std::remove_cv_t<T>>::value || is_library_number<T>();

// Whether an operator that is applied to a `T` loads all of it.
template <class T>
constexpr bool is_loaded_by_operators = std::is_scalar_v<T> || is_library_class<T>;

// Whether constructing a `T` from another one, or assigning one to another, copies it byte by byte.
template <class T>
constexpr bool is_copied_whole =
    std::is_scalar_v<T> || std::is_trivially_copy_constructible_v<std::remove_cv_t<T>> || is_library_class<T>;

template <class T>
constexpr bool is_assigned_whole =
    std::is_scalar_v<T> || std::is_trivially_copy_assignable_v<std::remove_cv_t<T>> || is_library_class<T>;

// A placeholder for the arguments other than the one that is tested.
struct AnyArgument {
  template <class T>
  operator T&() const;
};

template <std::size_t>
using Any = AnyArgument;

template <class T, class... Arguments>
struct Constructs {
  template <class Made, class = decltype(Made{std::declval<Arguments>()...})>
  static std::true_type braced(int);
  template <class>
  static std::false_type braced(...);
  static constexpr bool value = std::is_constructible_v<T, Arguments...> || decltype(braced<T>(0))::value;
};

template <class T, class Value, class Before, class After>
struct TakesValue;

template <class T, class Value, std::size_t... before, std::size_t... after>
struct TakesValue<T, Value, Indices<before...>, Indices<after...>>
    : Constructs<T, Any<before>..., Value, Any<after>...> {};

// A value that an operator with a `From` parameter accepts but a conversion from `From`
// does not, because that would be a second user-defined conversion.
template <class From>
struct OnlyTo {
  operator From() const;
};

template <class T, class From, class = void>
struct AssignedByOperator : std::false_type {};

template <class T, class From>
struct AssignedByOperator<
    T, From, std::void_t<decltype(std::declval<T&>().operator=(std::declval<OnlyTo<std::remove_reference_t<From>>>()))>>
    : std::true_type {};

// Whether `T = From` stores all of the `T`. A class may define operators for some
// types in addition to the assignment that every class has.
template <class T, class From>
HIRACE_HOOK constexpr bool is_stored_whole() {
  using Value = std::remove_cv_t<std::remove_reference_t<From>>;
  if constexpr (!is_assigned_whole<T>) {
    return false;
  } else if constexpr (!std::is_class_v<T> || is_library_class<T> || std::is_base_of_v<T, Value>) {
    return true;
  } else {
    return !AssignedByOperator<T, Value>::value;
  }
}

template <std::size_t index, class... Types>
struct At {
  using type = void;
};
template <class First, class... Rest>
struct At<0, First, Rest...> {
  using type = First;
};
template <std::size_t index, class First, class... Rest>
struct At<index, First, Rest...> : At<index - 1, Rest...> {};

// The type of parameter `index` of a `Callee`, a pointer to a function or an object with one
// call operator; void if there is no such parameter, or if the operator is a template.
template <class Callee, std::size_t index, class = void>
struct Parameter {
  using type = void;
};

#define HIRACE_PARAMETER(qualifiers)                                                                          \
  template <class Result, class... Types, std::size_t index>                                                  \
  struct Parameter<Result (*)(Types...) qualifiers, index> : At<index, Types...> {};                          \
  template <class Result, class Class, class... Types, std::size_t index>                                         \
  struct Parameter<Result (Class::*)(Types...) qualifiers, index> : At<index, Types...> {};                       \
  template <class Result, class Class, class... Types, std::size_t index>                                         \
  struct Parameter<Result (Class::*)(Types...) const qualifiers, index> : At<index, Types...> {};

HIRACE_PARAMETER()
HIRACE_PARAMETER(noexcept)

#undef HIRACE_PARAMETER

template <class Functor, std::size_t index>
struct Parameter<Functor, index, std::void_t<decltype(&Functor::operator())>>
    : Parameter<decltype(&Functor::operator()), index> {};

// Whether initialising a `Target` with argument `index` of `count`, an lvalue of
// type `Source`, loads it. A constructor or a member that takes a reference receives
// the object itself, and is recognised by rejecting a temporary.
template <class Target, std::size_t index, std::size_t count, class Source>
HIRACE_HOOK constexpr bool is_loaded_into() {
  using From = std::remove_cv_t<Source>;
  using To = std::remove_cv_t<Target>;
  if constexpr (std::is_reference_v<Target>) {
    return false;
  } else if constexpr (std::is_scalar_v<From> && std::is_scalar_v<To>) {
    return true;
  } else if constexpr (count == 1 && std::is_same_v<From, To>) {
    return is_copied_whole<From>;
  } else if constexpr (is_library_class<From>) {
    return is_library_number<From>() || std::is_scalar_v<To>;
  } else if constexpr (is_value<From>) {
    return TakesValue<To, From, IndicesBelow<index>, IndicesBelow<count - index - 1>>::value;
  } else {
    return false;
  }
}

// The same for an object of a class derived from the target's: its base part is copied.
template <class Target, std::size_t count, class Source>
HIRACE_HOOK constexpr bool is_sliced_into() {
  using From = std::remove_cv_t<Source>;
  using To = std::remove_cv_t<Target>;
  if constexpr (count != 1 || !std::is_class_v<From> || !std::is_class_v<To> || std::is_same_v<From, To>) {
    return false;
  } else {
    return std::is_base_of_v<To, From> && is_copied_whole<To>;
  }
}

// An empty class has no bytes that could race.
template <class T>
constexpr bool is_access = !std::is_array_v<T> && !std::is_function_v<T> && !std::is_empty_v<T>;

}  // namespace hirace::detail
