// The hooks that the instrumenter puts around loads and stores.
//
//   x = a[i];      →  x = hirace::read(SITE, a[i]);
//   s[t] = v;      →  hirace::write(SITE, s[t]) = v;
//   s[t] += v;     →  hirace::update(SITE, s[t]) += v;
//   auto x = s[t]; →  auto x = hirace::copy(SITE, s[t]);        also objects of classes
//   f(s[t]);       →  f(hirace::read_argument(SITE, s[t]));     f not known
//   f(s[t]);       →  f(hirace::read_called<decltype(f), 0, true>(SITE, s[t])); f a variable
//   f(s[t]);       →  f(hirace::read_if_taken(SITE, s[t]));     f one of several, see argument.h
//   T x(s[t]);     →  T x(hirace::read_into<T, 0, 1>(SITE, s[t]));
//   x.m = s[t];    →  x.m = hirace::read_assigned<decltype(x.m)>(SITE, s[t]);
//   new (p) T(x)   →  new (hirace::made<T>(SITE, p)) T(x)
//   s[t] = x + y;  →  hirace::write_from<decltype(x + y)>(SITE, s[t]) = x + y;
//   x = s[t];      →  x = hirace::read_stable(SITE, s, s[t]);   no thread writes to s meanwhile
//   (x)*y          →  (x)*hirace::read_pointee(SITE, y)         x may be a type or a number
//
// A hook takes any lvalue, checks the access and returns the same lvalue. So the compiler decides
// what the syntax does not show: naming an array or a function is no access, threads do not share
// temporaries, and the size is that of the type. `values.h` decides which uses of a class object
// access all of it. Hooks around lvalues may be used in constexpr functions.
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

// How an lvalue is used.
enum class Use {
  load,
  store,
  // A load and a store that are not one atomic operation. The store conflicts with everything
  // that the load conflicts with, so one check as a write covers both.
  update,
};

template <class T>
HIRACE_HOOK constexpr void check_lvalue(SiteId site, T& lvalue, AccessKind plain, AccessKind strong) {
  if constexpr (is_access<T>) {
    // A value computed at compile time is not in shared or global memory.
    if (__builtin_is_constant_evaluated()) return;
    AccessKind kind = plain;
    if constexpr (std::is_volatile_v<T>) {
      backend::note_use<VolatileOfSize<sizeof(T)>>();
      if (backend::volatile_is_strong()) kind = strong;
    }
    // nvcc converts no address of a pointer with `__restrict__` by itself.
    backend::check(kind, (const volatile void*)__builtin_addressof(lvalue), sizeof(T), site, alignof(T));
  }
}

template <Use use, class T>
HIRACE_HOOK constexpr void check_use(SiteId site, T& lvalue) {
  if constexpr (use == Use::load) {
    check_lvalue(site, lvalue, AccessKind::read, AccessKind::volatile_read);
  } else {
    check_lvalue(site, lvalue, use == Use::store ? AccessKind::write : AccessKind::update, AccessKind::volatile_write);
  }
}

// The object type of an operand of type `T`.
template <class T>
using Object = Unrestricted<std::remove_reference_t<T>>;

// The hook around an operand; its use is an access if `accesses`. Threads do not share temporaries,
// such as those that a proxy's operator[] returns.
template <Use use, bool accesses, class T>
HIRACE_HOOK constexpr T&& hook(SiteId site, T&& operand) {
  if constexpr (std::is_lvalue_reference_v<T> && accesses) check_use<use>(site, operand);
  return static_cast<T&&>(operand);
}

}  // namespace detail

// Each of these returns an lvalue unchanged. Those that use the value of a temporary return it by
// value, so that a reference bound to it extends its lifetime.

// An operand, an index, a condition: the value of a number or a pointer.
template <class T>
HIRACE_HOOK constexpr T read(SiteId site, T&& operand) {
  return detail::hook<detail::Use::load, detail::is_loaded_by_operators<detail::Object<T>>, T>(site, static_cast<T&&>(operand));
}

// `y` in `(x)*y`, if it is not known whether that is a product or a cast of `*y`: a pointer is about to be
// dereferenced, because no product has one.
template <class T>
HIRACE_HOOK constexpr T read_pointee(SiteId site, T&& operand) {
  using Operand = std::decay_t<T>;
  if constexpr (std::is_pointer_v<Operand> && std::is_object_v<std::remove_pointer_t<Operand>>) {
    detail::hook<detail::Use::load, detail::is_loaded_by_operators<std::remove_pointer_t<Operand>>,
                 std::remove_pointer_t<Operand>&>(site, *operand);
  }
  return static_cast<T&&>(operand);
}

// The source of a copy into a new object of the same type.
template <class T>
HIRACE_HOOK constexpr T copy(SiteId site, T&& operand) {
  return detail::hook<detail::Use::load, detail::is_copied_whole<detail::Object<T>>, T>(site, static_cast<T&&>(operand));
}

// An argument of a function whose parameters are not known. A number is assumed to be
// passed by value; an object of a class may be bound to a reference.
template <class T>
HIRACE_HOOK constexpr T read_argument(SiteId site, T&& operand) {
  return detail::hook<detail::Use::load, detail::is_value<detail::Object<T>>, T>(site, static_cast<T&&>(operand));
}

// The base of `base[i]` or `base->f`: loaded if it is a pointer. If it is an object with its own
// operator, the hooks in that operator's body check the accesses.
template <class T>
HIRACE_HOOK constexpr T&& read_pointer(SiteId site, T&& operand) {
  return detail::hook<detail::Use::load, std::is_pointer_v<detail::Object<T>>, T>(site, static_cast<T&&>(operand));
}

// The left side of an assignment from an object of the same type, or of any assignment to a number.
template <class T>
HIRACE_HOOK constexpr T&& write(SiteId site, T&& operand) {
  return detail::hook<detail::Use::store, detail::is_assigned_whole<detail::Object<T>>, T>(site, static_cast<T&&>(operand));
}

// The left side of an assignment from a `From`.
template <class From, class T>
HIRACE_HOOK constexpr T&& write_from(SiteId site, T&& operand) {
  constexpr bool stored = detail::is_stored_whole<std::remove_cv_t<detail::Object<T>>, From>();
  return detail::hook<detail::Use::store, stored, T>(site, static_cast<T&&>(operand));
}

// The operand of `+=`, `++` and so on. A class's own operators have bodies, which are instrumented.
template <class T>
HIRACE_HOOK constexpr T&& update(SiteId site, T&& operand) {
  return detail::hook<detail::Use::update, detail::is_loaded_by_operators<detail::Object<T>>, T>(site, static_cast<T&&>(operand));
}

// An operand that a library function swaps or exchanges.
template <class T>
HIRACE_HOOK constexpr T&& exchange(SiteId site, T&& operand) {
  return detail::hook<detail::Use::update, detail::is_assigned_whole<detail::Object<T>>, T>(site, static_cast<T&&>(operand));
}

// The memory in which a `T` is constructed.
template <class T, class Place>
HIRACE_HOOK Place* made(SiteId site, Place* place) {
  const backend::LaterStore later;
  detail::check_use<detail::Use::store>(site, *static_cast<T*>(static_cast<void*>(place)));
  return place;
}

// Argument `index` of the `count` arguments that initialise a `Target`.
template <class Target, std::size_t index, std::size_t count, class T>
HIRACE_HOOK constexpr T read_into(SiteId site, T&& operand) {
  if constexpr (std::is_lvalue_reference_v<T>) {
    constexpr bool loaded = detail::is_loaded_into<Target, index, count, detail::Object<T>>();
    constexpr bool sliced = detail::is_sliced_into<Target, count, detail::Object<T>>();
    using Base = const std::remove_cv_t<Target>&;
    if constexpr (loaded) detail::check_use<detail::Use::load>(site, operand);
    if constexpr (sliced) detail::check_use<detail::Use::load>(site, static_cast<Base>(operand));
  }
  return static_cast<T&&>(operand);
}

// Argument `index` of a call of a `Callee`, which is a variable or a computed value. If the type of
// the parameter is unknown, as for templates, `may_be_bound` says whether to assume a reference.
template <class Callee, std::size_t index, bool may_be_bound, class T>
HIRACE_HOOK constexpr T&& read_called(SiteId site, T&& operand) {
  if constexpr (std::is_lvalue_reference_v<T>) {
    using Taken = typename detail::Parameter<std::decay_t<Callee>, index>::type;
    if constexpr (!std::is_void_v<Taken>) {
      hirace::read_into<Taken, 0, 1>(site, operand);
    } else if constexpr (!may_be_bound) {
      hirace::read_argument(site, operand);
    }
  }
  return static_cast<T&&>(operand);
}

// The value assigned to a `Target`, named as an lvalue or a type.
template <class Target, class T>
HIRACE_HOOK constexpr T read_assigned(SiteId site, T&& operand) {
  if constexpr (std::is_lvalue_reference_v<T>) {
    using To = std::remove_cv_t<std::remove_reference_t<Target>>;
    constexpr bool stored = detail::is_stored_whole<To, detail::Object<T>>();
    if constexpr (stored) hirace::read_into<To, 0, 1>(site, operand);
  }
  return static_cast<T&&>(operand);
}

namespace detail {

// Whether a `T` that is an element of a `Variable`, or part of one, may be read without a check:
// its operators are built in, so the source shows all stores to it.
template <class T, class Variable, class Element = std::remove_all_extents_t<Variable>>
constexpr bool may_be_stable = (std::is_arithmetic_v<Element> || IsVector<std::remove_cv_t<Element>>::value) &&
                               !std::is_volatile_v<T> && is_access<T> && sizeof(T) <= sizeof(Variable);

// Whether all of `lvalue` is in `variable`.
template <class T, class Variable>
HIRACE_HOOK constexpr bool lies_within(T& lvalue, Variable& variable) {
  if (__builtin_is_constant_evaluated()) return true;
  const auto begin = reinterpret_cast<std::uintptr_t>(__builtin_addressof(variable));
  return reinterpret_cast<std::uintptr_t>(__builtin_addressof(lvalue)) - begin <= sizeof(Variable) - sizeof(T);
}

// Out of line, so that the loop around it stays small.
template <bool accesses, class T>
HIRACE_COLD HIRACE_FUNCTION void load_out_of_bounds(SiteId site, T& lvalue) {
  if constexpr (accesses) check_use<Use::load>(site, lvalue);
}

// The hook around an element of `variable` while no thread writes to it. A read within the bounds
// cannot race; an index out of bounds gets the complete check.
template <bool accesses, class Variable, class T>
HIRACE_HOOK constexpr T& hook_within(SiteId site, Variable& variable, T& lvalue) {
  if constexpr (!may_be_stable<T, Variable>) {
    return hook<Use::load, accesses, T&>(site, lvalue);
  } else {
    if (!lies_within(lvalue, variable)) load_out_of_bounds<accesses>(site, lvalue);
    return lvalue;
  }
}

}  // namespace detail

template <class Variable, class T>
HIRACE_HOOK constexpr T& read_stable(SiteId site, Variable& variable, T& lvalue) {
  return detail::hook_within<detail::is_loaded_by_operators<T>>(site, variable, lvalue);
}

template <class Variable, class T>
HIRACE_HOOK constexpr T& copy_stable(SiteId site, Variable& variable, T& lvalue) {
  return detail::hook_within<detail::is_copied_whole<T>>(site, variable, lvalue);
}

// Second names, for programs with macros of the first ones.
template <class T>
HIRACE_HOOK constexpr T hirace_read(SiteId site, T&& operand) {
  return read<T>(site, static_cast<T&&>(operand));
}
template <class T>
HIRACE_HOOK constexpr T hirace_copy(SiteId site, T&& operand) {
  return copy<T>(site, static_cast<T&&>(operand));
}
template <class T>
HIRACE_HOOK constexpr T&& hirace_write(SiteId site, T&& operand) {
  return write<T>(site, static_cast<T&&>(operand));
}
template <class T>
HIRACE_HOOK constexpr T&& hirace_update(SiteId site, T&& operand) {
  return update<T>(site, static_cast<T&&>(operand));
}

}  // namespace hirace
