// The shape of a variable, by which reports name its elements.
#pragma once

#include <type_traits>

#include "../../generated/wire.h"

namespace hirace::cpu {

struct ArrayShape {
  static constexpr std::size_t max_rank = sizeof Whereabouts::extents / sizeof(std::uint32_t);

  std::uint32_t element_bytes = 0;
  std::uint32_t extents[max_rank] = {};  // zeros after the last dimension
};

template <class T>
constexpr ArrayShape shape_of() {
  ArrayShape shape;
  shape.element_bytes = static_cast<std::uint32_t>(sizeof(std::remove_all_extents_t<T>));
  if constexpr (std::rank_v<T> > ArrayShape::max_rank) {
    shape.extents[0] = static_cast<std::uint32_t>(sizeof(T) / shape.element_bytes);
  } else {
    const std::size_t extents[] = {std::extent_v<T, 0>, std::extent_v<T, 1>, std::extent_v<T, 2>, std::extent_v<T, 3>,
                                   std::extent_v<T, 4>};
    static_assert(sizeof extents / sizeof *extents == ArrayShape::max_rank);
    for (std::size_t i = 0; i < ArrayShape::max_rank; ++i) shape.extents[i] = static_cast<std::uint32_t>(extents[i]);
  }
  return shape;
}

}  // namespace hirace::cpu
