// Bit-fields. No reference binds to one, so the hook goes around the object.
//
//   x->f = 1;  →  hirace::write_bits(SITE, *(x), [](auto& hirace_object) { HIRACE_FILL(f) }).f = 1;
//
// Adjacent bit-fields are one memory location ([intro.memory]): to store one, a compiler
// may load and store all of them. The function fills all of them with ones in a zeroed
// object; the bytes that are then not zero are those that they occupy.
//
// If only some of the classes with a member `f` declare it as a bit-field, and the syntax
// does not show the class of `x`, the hook tries both forms:
//
//   x.f  →  hirace::at_member<T>(
//               x,
//               [](auto& hirace_object, auto hirace_target) -> HIRACE_IF_BOUND(f) { hirace::read(SITE, hirace_object.f); },
//               [](auto& hirace_owner) { hirace::read_bits(SITE, hirace_owner, …); }).f
//
// Hooks that need the type to which the value is assigned take it from `hirace_target`.
#pragma once

#include <cstddef>
#include <type_traits>

#include "access.h"

namespace hirace {

template <class T>
HIRACE_HOOK T all_ones() {
  return static_cast<T>(-1);
}

// Void if the member has an address; ill-formed otherwise.
#define HIRACE_IF_BOUND(field) decltype(static_cast<void>(&hirace_object.field))

// Whether the object has a member of this name. The preprocessor may leave out bit-fields, and what separates them.
#define HIRACE_HAS_MEMBER(name) \
  ::hirace::detail::accepts([](auto& it) -> decltype(static_cast<void>(it.name)) {}, hirace_object)
#define HIRACE_FILL_IF(field) \
  ::hirace::detail::fill_if([](auto& hirace_object) -> decltype(static_cast<void>(hirace_object.field)) { HIRACE_FILL(field) }, hirace_object);

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

template <class Function, class T>
HIRACE_HOOK constexpr bool accepts(Function, T&) {
  return std::is_invocable_v<Function, T&>;
}

template <class Fill, class T>
HIRACE_HOOK void fill_if(Fill fill, T& object) {
  if constexpr (std::is_invocable_v<Fill, T&>) fill(object);
}

template <class T>
struct Target {
  using type = T;
};

template <class Goal, class T, class Bound, class Bits>
HIRACE_HOOK void check_member(T& object, Bound bound, Bits bits) {
  if constexpr (std::is_invocable_v<Bound, T&, Target<Goal>>) {
    bound(object, Target<Goal>());
  } else {
    bits(object);
  }
}

}  // namespace detail

template <class Goal, class T, class Bound, class Bits>
HIRACE_HOOK constexpr T& at_member(T& object, Bound bound, Bits bits) {
  if (!__builtin_is_constant_evaluated()) detail::check_member<Goal>(object, bound, bits);
  return object;
}

// Threads do not share temporaries.
template <class Goal, class T, class Bound, class Bits, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK constexpr T&& at_member(T&& object, Bound, Bits) {
  return static_cast<T&&>(object);
}

template <class T, class Fill>
HIRACE_HOOK constexpr T& read_bits(SiteId site, T& object, Fill fill) {
  if (!__builtin_is_constant_evaluated()) detail::check_bits(site, object, AccessKind::read, fill);
  return object;
}

template <class T, class Fill>
HIRACE_HOOK constexpr T& write_bits(SiteId site, T& object, Fill fill) {
  if (!__builtin_is_constant_evaluated()) detail::check_bits(site, object, AccessKind::write, fill);
  return object;
}

template <class T, class Fill>
HIRACE_HOOK constexpr T& update_bits(SiteId site, T& object, Fill fill) {
  if (!__builtin_is_constant_evaluated()) detail::check_bits(site, object, AccessKind::update, fill);
  return object;
}

}  // namespace hirace
