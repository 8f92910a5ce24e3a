// Elements of arrays in constant memory: no thread writes them, so only the bounds are checked. Of an array that is a
// member of an object, those of the object.
#pragma once

#include <type_traits>

#include "../../hooks/backend.h"
#include "../../hooks/site.h"
#include "../memory/array_shape.h"

namespace hirace::cpu {

// An array, or an object with one, in constant memory; `key`: as in SharedVariable.
struct ConstantArray {
  std::uintptr_t begin;
  std::size_t bytes;
  std::uint64_t key;
  ArrayShape shape;
};

// Records that a kernel reads beyond one.
void note_beyond_constant(SiteId site, const ConstantArray& array, std::uintptr_t address, std::size_t size);

template <class Array, class T>
HIRACE_HOOK void check_bounds(SiteId site, std::uint64_t key, const Array& array, const T& element) {
  const auto begin = reinterpret_cast<std::uintptr_t>(&reinterpret_cast<const volatile char&>(array));
  const auto address = reinterpret_cast<std::uintptr_t>(&reinterpret_cast<const volatile char&>(element));
  if (__builtin_expect(address - begin <= sizeof array - sizeof element, 1)) return;
  note_beyond_constant(site, {begin, sizeof array, key, shape_of<Array>()}, address, sizeof element);
}

// An element of `array`, or a part of one. The size of an array that is declared elsewhere may be unknown.
template <class Array, class T>
HIRACE_HOOK constexpr T&& element_of(SiteId site, std::uint64_t key, const Array& array, T&& element) {
  constexpr bool has_size = std::extent_v<Array> != 0 || std::is_class_v<Array>;
  if constexpr (std::is_lvalue_reference_v<T> && has_size) {
    if (!__builtin_is_constant_evaluated()) check_bounds(site, key, array, element);
  }
  return static_cast<T&&>(element);
}

}  // namespace hirace::cpu
