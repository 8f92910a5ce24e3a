// The hooks that the instrumenter puts around loads and stores.
//
//   x = a[i];      →  x = hirace::read(SITE, a[i]);
//   s[t] = v;      →  hirace::write(SITE, s[t]) = v;
//   s[t] += v;     →  hirace::update(SITE, s[t]) += v;
//
// A hook takes any lvalue, checks the access and returns the same lvalue, so the
// compiler supplies what the syntax does not tell: an array or a function is not
// an access, a temporary is not memory, the size is the type's.
#pragma once

#include <type_traits>

#include "backend.h"
#include "record.h"

#if HIRACE_GPU
#include "gpu/check.h"
#else
#include "cpu/check.h"
#endif

namespace hirace {

namespace detail {

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

// Temporaries, such as what operator[] of a proxy type returns.
template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK T read(SiteId, T&& temporary) {
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
