// cub::BlockAdjacentDifference: differences of neighbouring items.
#pragma once

#include "block_neighbours.cuh"

namespace cub {

template <class T, int block_x, int block_y = 1, int block_z = 1, int legacy_architecture = 0>
class BlockAdjacentDifference
    : public detail::NeighbourOperation<BlockAdjacentDifference<T, block_x, block_y, block_z, legacy_architecture>, T,
                                        block_x * block_y * block_z> {
  using Base = detail::NeighbourOperation<BlockAdjacentDifference, T, block_x * block_y * block_z>;
  static constexpr const char* name = "cub::BlockAdjacentDifference";
  static constexpr int all = 0x7fffffff;

 public:
  using Base::Base;

  template <int items, class Output, class DifferenceOp>
  void SubtractLeft(T (&input)[items], Output (&output)[items], DifferenceOp op) const {
    left(input, output, op, all, nullptr);
  }
  template <int items, class Output, class DifferenceOp>
  void SubtractLeft(T (&input)[items], Output (&output)[items], DifferenceOp op, T before) const {
    left(input, output, op, all, &before);
  }
  template <int items, class Output, class DifferenceOp>
  void SubtractLeftPartialTile(T (&input)[items], Output (&output)[items], DifferenceOp op, int valid) const {
    left(input, output, op, valid, nullptr);
  }
  template <int items, class Output, class DifferenceOp>
  void SubtractLeftPartialTile(T (&input)[items], Output (&output)[items], DifferenceOp op, int valid, T before) const {
    left(input, output, op, valid, &before);
  }
  template <int items, class Output, class DifferenceOp>
  void SubtractRight(T (&input)[items], Output (&output)[items], DifferenceOp op) const {
    right(input, output, op, all, nullptr);
  }
  template <int items, class Output, class DifferenceOp>
  void SubtractRight(T (&input)[items], Output (&output)[items], DifferenceOp op, T after) const {
    right(input, output, op, all, &after);
  }
  template <int items, class Output, class DifferenceOp>
  void SubtractRightPartialTile(T (&input)[items], Output (&output)[items], DifferenceOp op, int valid) const {
    right(input, output, op, valid, nullptr);
  }

 private:
  // An item without a neighbour, or at `valid` or beyond, is copied. `output` may be `input`.
  template <int items, class Output, class DifferenceOp>
  void left(T (&input)[items], Output (&output)[items], DifferenceOp& op, int valid, const T* before) const {
    const auto around = this->neighbours(name, input);
    const int first = static_cast<int>(this->thread()) * items;
    for (int i = items - 1; i >= 0; --i) {
      const T* const other = i > 0 ? &input[i - 1] : this->is_first() ? before : &around.before;
      output[i] = other != nullptr && first + i < valid ? static_cast<Output>(op(input[i], *other)) : static_cast<Output>(input[i]);
    }
  }
  template <int items, class Output, class DifferenceOp>
  void right(T (&input)[items], Output (&output)[items], DifferenceOp& op, int valid, const T* after) const {
    const auto around = this->neighbours(name, input);
    const int first = static_cast<int>(this->thread()) * items;
    for (int i = 0; i < items; ++i) {
      const T* const other = i + 1 < items ? &input[i + 1] : this->is_last() ? after : &around.after;
      const bool inside = valid == all || first + i + 1 < valid;
      output[i] = other != nullptr && inside ? static_cast<Output>(op(input[i], *other)) : static_cast<Output>(input[i]);
    }
  }
};

}  // namespace cub
