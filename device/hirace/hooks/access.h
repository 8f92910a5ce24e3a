// The hooks that the instrumenter puts around loads and stores.
//
//   x = a[i];      →  x = hirace::read(SITE, a[i]);
//   s[t] = v;      →  hirace::write(SITE, s[t]) = v;
//   s[t] += v;     →  hirace::update(SITE, s[t]) += v;
//   auto x = s[t]; →  auto x = hirace::copy(SITE, s[t]);        also objects of classes
//   f(s[t]);       →  f(hirace::read_argument(SITE, s[t]));     f not known
//   f(s[t]);       →  f(hirace::read_called<decltype(f), 0, true>(SITE, s[t])); f a variable
//   T x(s[t]);     →  T x(hirace::read_into<T, 0, 1>(SITE, s[t]));
//   x.m = s[t];    →  x.m = hirace::read_assigned<decltype(x.m)>(SITE, s[t]);
//   new (p) T(x)   →  new (hirace::made<T>(SITE, p)) T(x)
//   s[t] = x + y;  →  hirace::write_from<decltype(x + y)>(SITE, s[t]) = x + y;
//   x = s[t];      →  x = hirace::read_stable(SITE, s, s[t]);   nobody writes to s meanwhile
//   y = a[i];      →  y = hirace::read_repeated(SITE, a[i]);    a[i] was accessed just now
//   for (int e = 0; e < n[i]; ++e)  →  for (int e = hirace::read_ahead(SITE, n[i], 0); …
//
// A hook takes any lvalue, checks the access and returns the same lvalue, so the
// compiler supplies what the syntax does not tell: an array or a function is not
// an access, a temporary is not memory, the size is the type's. Which uses of an
// object of a class are an access of all of it, `values.h` says. Hooks around lvalues
// may stand in constexpr functions.
#pragma once

#include "backend.h"
#include "../records/record.h"
#include "values.h"

#if HIRACE_GPU
#include "../gpu/check.h"
#else
#include "../executor/check/check.h"
#endif

namespace hirace {

namespace detail {

template <class T>
HIRACE_HOOK constexpr void check_lvalue(SiteId site, T& lvalue, AccessKind plain, AccessKind strong) {
  if constexpr (is_access<T>) {
    // What the compiler computes by itself is in no memory that threads share.
    if (__builtin_is_constant_evaluated()) return;
    AccessKind kind = plain;
    if constexpr (std::is_volatile_v<T>) {
      if (backend::volatile_is_strong()) kind = strong;
    }
    backend::check(kind, __builtin_addressof(lvalue), sizeof(T), site, alignof(T));
  }
}

template <class T>
HIRACE_HOOK constexpr void check_read(SiteId site, T& lvalue) {
  check_lvalue(site, lvalue, AccessKind::read, AccessKind::volatile_read);
}

template <class T>
HIRACE_HOOK constexpr void check_write(SiteId site, T& lvalue) {
  check_lvalue(site, lvalue, AccessKind::write, AccessKind::volatile_write);
}

// A load and a store that are not one atomic operation. The store conflicts with
// whatever the load does, so one check as a write covers both.
template <class T>
HIRACE_HOOK constexpr void check_update(SiteId site, T& lvalue) {
  check_lvalue(site, lvalue, AccessKind::update, AccessKind::volatile_write);
}

}  // namespace detail

// An operand, an index, a condition: the value of a number or a pointer.
template <class T>
HIRACE_HOOK constexpr T& read(SiteId site, T& lvalue) {
  if constexpr (detail::is_loaded_by_operators<T>) detail::check_read(site, lvalue);
  return lvalue;
}

// What a new object of the same type is made from.
template <class T>
HIRACE_HOOK constexpr T& copy(SiteId site, T& lvalue) {
  if constexpr (detail::is_copied_whole<T>) detail::check_read(site, lvalue);
  return lvalue;
}

// The base of `base[i]` or `base->f`: loaded where it is a pointer. Where it is an
// object with an operator of its own, that operator's body says what is accessed.
template <class T>
HIRACE_HOOK constexpr T& read_pointer(SiteId site, T& lvalue) {
  if constexpr (std::is_pointer_v<T>) detail::check_read(site, lvalue);
  return lvalue;
}

// What is assigned an object of its own type, or anything if it is a number.
template <class T>
HIRACE_HOOK constexpr T& write(SiteId site, T& lvalue) {
  if constexpr (detail::is_assigned_whole<T>) detail::check_write(site, lvalue);
  return lvalue;
}

// What is assigned a `From`.
template <class From, class T>
HIRACE_HOOK constexpr T& write_from(SiteId site, T& lvalue) {
  constexpr bool stored = detail::is_stored_whole<std::remove_cv_t<T>, From>();
  if constexpr (stored) detail::check_write(site, lvalue);
  return lvalue;
}

// The object of `+=`, `++` and so on. A class has only such operators as have a body.
template <class T>
HIRACE_HOOK constexpr T& update(SiteId site, T& lvalue) {
  if constexpr (detail::is_loaded_by_operators<T>) detail::check_update(site, lvalue);
  return lvalue;
}

// The place where a `T` is made.
template <class T, class Place>
HIRACE_HOOK Place* made(SiteId site, Place* place) {
  detail::check_write(site, *static_cast<T*>(static_cast<void*>(place)));
  return place;
}

// Swapped or exchanged by a library.
template <class T>
HIRACE_HOOK constexpr T& exchange(SiteId site, T& lvalue) {
  if constexpr (detail::is_assigned_whole<T>) detail::check_update(site, lvalue);
  return lvalue;
}

// An argument of a function whose parameters are not known. A number is taken to be
// passed by value; an object of a class may be bound to a reference.
template <class T>
HIRACE_HOOK constexpr T& read_argument(SiteId site, T& lvalue) {
  if constexpr (detail::is_value<T>) detail::check_read(site, lvalue);
  return lvalue;
}

// Argument `index` of `count` that initialises a `Target`.
template <class Target, std::size_t index, std::size_t count, class T>
HIRACE_HOOK constexpr T& read_into(SiteId site, T& lvalue) {
  constexpr bool loaded = detail::is_loaded_into<Target, index, count, T>();
  constexpr bool sliced = detail::is_sliced_into<Target, count, T>();
  if constexpr (loaded) detail::check_read(site, lvalue);
  if constexpr (sliced) detail::check_read(site, static_cast<const std::remove_cv_t<Target>&>(lvalue));
  return lvalue;
}

// Argument `index` of a call of a `Callee`: a variable, or something that was computed.
// Where the compiler cannot tell, as of templates, `may_be_bound` says what is safe.
template <class Callee, std::size_t index, bool may_be_bound, class T>
HIRACE_HOOK constexpr T& read_called(SiteId site, T& lvalue) {
  using Taken = typename detail::Parameter<std::decay_t<Callee>, index>::type;
  if constexpr (!std::is_void_v<Taken>) {
    return read_into<Taken, 0, 1>(site, lvalue);
  } else if constexpr (!may_be_bound) {
    return read_argument(site, lvalue);
  }
  return lvalue;
}

// What is assigned to a `Target`, named as an lvalue or a type.
template <class Target, class T>
HIRACE_HOOK constexpr T& read_assigned(SiteId site, T& lvalue) {
  using To = std::remove_cv_t<std::remove_reference_t<Target>>;
  constexpr bool stored = detail::is_stored_whole<To, T>();
  if constexpr (stored) read_into<To, 0, 1>(site, lvalue);
  return lvalue;
}

namespace detail {

// Whether an element of a `Variable`, or a part of it, that is a `T` may be read without a
// check: its operators are the language's own, so that all stores are where the source says.
template <class T, class Variable, class Element = std::remove_all_extents_t<Variable>>
constexpr bool may_be_stable = (std::is_arithmetic_v<Element> || IsVector<std::remove_cv_t<Element>>::value) &&
                               !std::is_volatile_v<T> && is_access<T> && sizeof(T) <= sizeof(Variable);

// Whether all of `lvalue` lies in `variable`.
template <class T, class Variable>
HIRACE_HOOK constexpr bool lies_within(T& lvalue, Variable& variable) {
  if (__builtin_is_constant_evaluated()) return true;
  const auto begin = reinterpret_cast<std::uintptr_t>(__builtin_addressof(variable));
  return reinterpret_cast<std::uintptr_t>(__builtin_addressof(lvalue)) - begin <= sizeof(Variable) - sizeof(T);
}

// Out of line, so that the loop around it stays small.
template <class T>
HIRACE_COLD HIRACE_FUNCTION void read_out_of_bounds(SiteId site, T& lvalue) {
  hirace::read(site, lvalue);
}

template <class T>
HIRACE_COLD HIRACE_FUNCTION void copy_out_of_bounds(SiteId site, T& lvalue) {
  hirace::copy(site, lvalue);
}

}  // namespace detail

// read() and copy() of an element of `variable` while nobody writes to that: what lies within
// cannot race, and an index out of bounds takes the whole check.
template <class Variable, class T>
HIRACE_HOOK constexpr T& read_stable(SiteId site, Variable& variable, T& lvalue) {
  if constexpr (!detail::may_be_stable<T, Variable>) {
    return hirace::read(site, lvalue);
  } else {
    if (!detail::lies_within(lvalue, variable)) detail::read_out_of_bounds(site, lvalue);
    return lvalue;
  }
}

template <class Variable, class T>
HIRACE_HOOK constexpr T& copy_stable(SiteId site, Variable& variable, T& lvalue) {
  if constexpr (!detail::may_be_stable<T, Variable>) {
    return hirace::copy(site, lvalue);
  } else {
    if (!detail::lies_within(lvalue, variable)) detail::copy_out_of_bounds(site, lvalue);
    return lvalue;
  }
}

namespace detail {

// Whether every hook around a `T` checks it, so that the first of several stands for all.
template <class T>
constexpr bool may_be_repeated = std::is_scalar_v<T> && !std::is_volatile_v<T>;

}  // namespace detail

// read(), copy(), write() and update() of what the thread has accessed in that way, or one
// that conflicts with more, since its last barrier.
template <class T>
HIRACE_HOOK constexpr T& read_repeated(SiteId site, T& lvalue) {
  if constexpr (!detail::may_be_repeated<T>) hirace::read(site, lvalue);
  return lvalue;
}

template <class T>
HIRACE_HOOK constexpr T& copy_repeated(SiteId site, T& lvalue) {
  if constexpr (!detail::may_be_repeated<T>) hirace::copy(site, lvalue);
  return lvalue;
}

template <class T>
HIRACE_HOOK constexpr T& write_repeated(SiteId site, T& lvalue) {
  if constexpr (!detail::may_be_repeated<T>) hirace::write(site, lvalue);
  return lvalue;
}

template <class T>
HIRACE_HOOK constexpr T& update_repeated(SiteId site, T& lvalue) {
  if constexpr (!detail::may_be_repeated<T>) hirace::update(site, lvalue);
  return lvalue;
}

// The read that a loop's condition begins with, whose repetitions read_repeated() leaves out:
// at the end of the loop's initialiser, behind the value that is last in it.
template <class T>
HIRACE_HOOK constexpr void read_ahead(SiteId site, T& lvalue) {
  if constexpr (detail::may_be_repeated<T>) hirace::read(site, lvalue);
}

template <class T, class Value>
HIRACE_HOOK constexpr std::decay_t<Value> read_ahead(SiteId site, T& lvalue, Value&& value) {
  read_ahead(site, lvalue);
  return static_cast<Value&&>(value);
}

// Temporaries, such as what operator[] of a proxy type returns.
template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK constexpr T read(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK constexpr T copy(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK constexpr T read_argument(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class Target, std::size_t index, std::size_t count, class T,
          class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK constexpr T read_into(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class Callee, std::size_t index, bool may_be_bound, class T,
          class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK constexpr T&& read_called(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class Target, class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK constexpr T read_assigned(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK constexpr T&& read_pointer(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK constexpr T&& write(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class From, class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK constexpr T&& write_from(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK constexpr T&& exchange(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

template <class T, class = std::enable_if_t<!std::is_lvalue_reference_v<T>>>
HIRACE_HOOK constexpr T&& update(SiteId, T&& temporary) {
  return static_cast<T&&>(temporary);
}

}  // namespace hirace
