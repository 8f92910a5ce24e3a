// Tensor maps: a tensor in global memory, and the box of it that a copy moves (PTX ISA, "Tensors", "tensormap.replace").
#pragma once

#include <cstddef>
#include <cstdint>

namespace hirace::cpu::ptx {

// In the 128 bytes of a tensor map. What is not in the PTX ISA has no fixed layout.
struct TensorMap {
  std::uint64_t address;
  std::uint64_t strides[4];  // in bytes, of all dimensions but the first
  std::uint32_t sizes[5], box[5], steps[5];
  std::uint8_t dimensions, element_type, interleaved, swizzle, fills_with_nan;

  // Of an element, by PTX's number of its type.
  std::uint32_t element_bytes() const {
    constexpr std::uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4};
    return element_type < sizeof bytes ? bytes[element_type] : 1;
  }
  // How many elements of a dimension a copy moves: of the box, each that a step reaches.
  std::uint32_t extent(std::size_t dimension) const {
    const std::uint32_t step = steps[dimension] != 0 ? steps[dimension] : 1;
    return (box[dimension] + step - 1) / step;
  }
};
static_assert(sizeof(TensorMap) <= 128, "it fits into a tensor map");

}  // namespace hirace::cpu::ptx
