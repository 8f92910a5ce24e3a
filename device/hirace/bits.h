// Bit-fields, which no reference binds to: the hook goes around the object.
//
//   x->f = 1;  →  hirace::write_bits(SITE, *(x), [](auto& hirace_object) { HIRACE_FILL(f) }).f = 1;
//
// Adjacent bit-fields are one memory location ([intro.memory]): to store one, a compiler
// may load and store all of them. The function fills every one of them in an empty
// object, which shows the bytes that they occupy; the compiler works them out.
#pragma once

#include <cstddef>
#include <type_traits>

#include "access.h"

namespace hirace {

template <class T>
HIRACE_HOOK T all_ones() {
  return static_cast<T>(-1);
}

#define HIRACE_FILL(field) hirace_object.field = ::hirace::all_ones<decltype(hirace_object.field)>();

namespace detail {

template <class T, class Fill>
HIRACE_HOOK void check_bits(SiteId site, T& object, AccessKind kind, Fill fill) {
  using Object = std::remove_cv_t<T>;
  alignas(Object) unsigned char bytes[sizeof(Object)] = {};
  fill(*reinterpret_cast<Object*>(bytes));
  std::size_t begin = 0, end = sizeof(Object);
  while (begin < end && bytes[begin] == 0) ++begin;
  while (begin < end && bytes[end - 1] == 0) --end;
  const char* const start = reinterpret_cast<const char*>(__builtin_addressof(const_cast<Object&>(object)));
  if (begin < end) backend::check(kind, start + begin, end - begin, site);
}

}  // namespace detail

template <class T, class Fill>
HIRACE_HOOK T& read_bits(SiteId site, T& object, Fill fill) {
  detail::check_bits(site, object, AccessKind::read, fill);
  return object;
}

template <class T, class Fill>
HIRACE_HOOK T& write_bits(SiteId site, T& object, Fill fill) {
  detail::check_bits(site, object, AccessKind::write, fill);
  return object;
}

template <class T, class Fill>
HIRACE_HOOK T& update_bits(SiteId site, T& object, Fill fill) {
  detail::check_bits(site, object, AccessKind::update, fill);
  return object;
}

}  // namespace hirace
