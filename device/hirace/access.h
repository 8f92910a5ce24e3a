// The hooks that the instrumenter puts around loads and stores.
//
//   x = a[i];      →  x = hirace::read(SITE, a[i]);
//   s[t] = v;      →  hirace::write(SITE, s[t]) = v;
//   s[t] += v;     →  hirace::update(SITE, s[t]) += v;
//   f(s[t]);       →  f(hirace::read_argument(SITE, s[t]));     f not known
//   T x(s[t]);     →  T x(hirace::read_into<T, 0, 1>(SITE, s[t]));
//
// A hook takes any lvalue, checks the access and returns the same lvalue, so the
// compiler supplies what the syntax does not tell: an array or a function is not
// an access, a temporary is not memory, the size is the type's.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "backend.h"
#include "record.h"

#if HIRACE_GPU
#include "gpu/check.h"
#else
#include "cpu/check.h"
#endif

namespace hirace {

namespace detail {

template <class T, class Component, class = void>
struct Components : std::integral_constant<std::size_t, 0> {};

// How many of x, y, z, w a class has, all of the same arithmetic type.
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

// What functions take by value: numbers, pointers, and vectors such as float4.
template <class T>
constexpr bool is_value = std::is_scalar_v<T> || IsVector<std::remove_cv_t<T>>::value;

// Stands for the arguments beside the one that is asked about.
struct AnyArgument {
  template <class T>
  operator T&() const;
};

template <std::size_t>
using Any = AnyArgument;

template <class T, class... Arguments>
struct Constructs {
  template <class U, class = decltype(U{std::declval<Arguments>()...})>
  static std::true_type braced(int);
  template <class>
  static std::false_type braced(...);
  static constexpr bool value = std::is_constructible_v<T, Arguments...> || decltype(braced<T>(0))::value;
};

template <class T, class Value, class Before, class After>
struct TakesValue;

template <class T, class Value, std::size_t... before, std::size_t... after>
struct TakesValue<T, Value, std::index_sequence<before...>, std::index_sequence<after...>>
    : Constructs<T, Any<before>..., Value, Any<after>...> {};

// Whether initialising a `Target` with argument `index` of `count`, an lvalue of
// type `Source`, loads it. A constructor or a member that takes a reference is
// handed the object itself: it cannot be initialised with a temporary.
template <class Target, std::size_t index, std::size_t count, class Source>
HIRACE_HOOK constexpr bool is_loaded_into() {
  using From = std::remove_cv_t<Source>;
  using To = std::remove_cv_t<Target>;
  if constexpr (std::is_reference_v<Target>) {
    return false;
  } else if constexpr (std::is_scalar_v<To> || (count == 1 && std::is_same_v<From, To>)) {
    return true;
  } else if constexpr (is_value<From>) {
    return TakesValue<To, From, std::make_index_sequence<index>, std::make_index_sequence<count - index - 1>>::value;
  } else {
    return false;
  }
}

// An empty class has no bytes that could race.
template <class T>
constexpr bool is_access = !std::is_array_v<T> && !std::is_function_v<T> && !std::is_empty_v<T>;

template <class T>
HIRACE_HOOK void check_lvalue(SiteId site, T& lvalue, AccessKind plain, AccessKind strong) {
  if constexpr (is_access<T>) {
    AccessKind kind = plain;
    if constexpr (std::is_volatile_v<T>) {
      if (backend::volatile_is_strong()) kind = strong;
    }
    backend::check(kind, __builtin_addressof(lvalue), sizeof(T), site);
  }
}

}  // namespace detail

template <class T>
HIRACE_HOOK T& read(SiteId site, T& lvalue) {
  detail::check_lvalue(site, lvalue, AccessKind::read, AccessKind::volatile_read);
  return lvalue;
}

// The base of `base[i]` or `base->f`: loaded where it is a pointer. Where it is an
// object with an operator of its own, that operator's body says what is accessed.
template <class T>
HIRACE_HOOK T& read_pointer(SiteId site, T& lvalue) {
  if constexpr (std::is_pointer_v<T>) detail::check_lvalue(site, lvalue, AccessKind::read, AccessKind::volatile_read);
  return lvalue;
}

template <class T>
HIRACE_HOOK T& write(SiteId site, T& lvalue) {
  detail::check_lvalue(site, lvalue, AccessKind::write, AccessKind::volatile_write);
  return lvalue;
}

// A load and a store that are not one atomic operation. The store conflicts with
// whatever the load does, so one check as a write covers both.
template <class T>
HIRACE_HOOK T& update(SiteId site, T& lvalue) {
  detail::check_lvalue(site, lvalue, AccessKind::update, AccessKind::volatile_write);
  return lvalue;
}

// An argument of a function whose parameters are not known. A number is taken to be
// passed by value; an object of a class may be bound to a reference.
template <class T>
HIRACE_HOOK T& read_argument(SiteId site, T& lvalue) {
  if constexpr (detail::is_value<T>) detail::check_lvalue(site, lvalue, AccessKind::read, AccessKind::volatile_read);
  return lvalue;
}

// Argument `index` of `count` that initialises a `Target`.
template <class Target, std::size_t index, std::size_t count, class T>
HIRACE_HOOK T& read_into(SiteId site, T& lvalue) {
  constexpr bool loaded = detail::is_loaded_into<Target, index, count, T>();
  if constexpr (loaded) detail::check_lvalue(site, lvalue, AccessKind::read, AccessKind::volatile_read);
  return lvalue;
}

// Temporaries, such as what operator[] of a proxy type returns.
template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK T read(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK T read_argument(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class Target, std::size_t index, std::size_t count, class T,
          class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK T read_into(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK T&& read_pointer(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK T&& write(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK T&& update(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

}  // namespace hirace
