// The hook around an index that contains a complement.
//
//   s[~i]  →  s[hirace::shared_index(s, ~i)]
//
// Addresses of shared memory have 32 bits on a GPU, where they wrap around: an index of type `unsigned int` that is
// a negative number without its sign leads to an element before `s`. Hooks take the 64-bit address of the element,
// in which it would lead far behind all memory.
#pragma once

#include <type_traits>

#include "access.h"

#if HIRACE_GPU
#include "../gpu/lookup.h"
#else
#include "../executor/memory/shared_variable.h"
#endif

namespace hirace {

namespace detail {

// Whether elements are found by adding the index to a pointer: in arrays, and by pointers.
template <class Base, class = void>
constexpr bool is_indexed_by_address = false;
template <class Base>
constexpr bool is_indexed_by_address<Base, std::void_t<decltype(+*static_cast<const Base*>(nullptr))>> =
    std::is_pointer_v<decltype(+*static_cast<const Base*>(nullptr))>;

}  // namespace detail

template <class Base, class Index>
HIRACE_HOOK constexpr auto shared_index(const Base& base, Index index) {
  if constexpr (std::is_same_v<Index, unsigned int> && detail::is_indexed_by_address<Base>) {
    if (!__builtin_is_constant_evaluated() && backend::is_shared_memory(+base)) return static_cast<std::ptrdiff_t>(static_cast<int>(index));
    return static_cast<std::ptrdiff_t>(index);
  } else {
    return index;
  }
}

}  // namespace hirace
