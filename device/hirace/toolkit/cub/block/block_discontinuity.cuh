// cub::BlockDiscontinuity: flags where neighbouring items differ.
#pragma once

#include "block_neighbours.cuh"

namespace cub {

template <class T, int block_x, int block_y = 1, int block_z = 1, int legacy_architecture = 0>
class BlockDiscontinuity
    : public detail::NeighbourOperation<BlockDiscontinuity<T, block_x, block_y, block_z, legacy_architecture>, T,
                                        block_x * block_y * block_z> {
  using Base = detail::NeighbourOperation<BlockDiscontinuity, T, block_x * block_y * block_z>;
  static constexpr const char* name = "cub::BlockDiscontinuity";

  // An operation may take the position of the second item as a third argument.
  template <class FlagOp>
  static bool flagged(FlagOp& op, const T& a, const T& b, int index) {
    if constexpr (std::is_invocable_v<FlagOp&, const T&, const T&, int>) {
      return static_cast<bool>(op(a, b, index));
    } else {
      static_cast<void>(index);
      return static_cast<bool>(op(a, b));
    }
  }
  template <int items, class Flag, class FlagOp>
  void heads(Flag (&flags)[items], T (&input)[items], FlagOp& op, const typename Base::Neighbours& around, const T* before) const {
    const int first = static_cast<int>(this->thread()) * items;
    const bool edge = this->is_first();
    flags[0] = static_cast<Flag>((edge && before == nullptr) || flagged(op, edge ? *before : around.before, input[0], first));
    for (int i = 1; i < items; ++i) flags[i] = static_cast<Flag>(flagged(op, input[i - 1], input[i], first + i));
  }
  template <int items, class Flag, class FlagOp>
  void tails(Flag (&flags)[items], T (&input)[items], FlagOp& op, const typename Base::Neighbours& around, const T* after) const {
    const int first = static_cast<int>(this->thread()) * items;
    const bool edge = this->is_last();
    for (int i = 0; i + 1 < items; ++i) flags[i] = static_cast<Flag>(flagged(op, input[i], input[i + 1], first + i + 1));
    flags[items - 1] =
        static_cast<Flag>((edge && after == nullptr) || flagged(op, input[items - 1], edge ? *after : around.after, first + items));
  }

 public:
  using Base::Base;

  template <int items, class Flag, class FlagOp>
  void FlagHeads(Flag (&flags)[items], T (&input)[items], FlagOp op) const {
    heads(flags, input, op, this->neighbours(name, input), nullptr);
  }
  template <int items, class Flag, class FlagOp>
  void FlagHeads(Flag (&flags)[items], T (&input)[items], FlagOp op, T before) const {
    heads(flags, input, op, this->neighbours(name, input), &before);
  }
  template <int items, class Flag, class FlagOp>
  void FlagTails(Flag (&flags)[items], T (&input)[items], FlagOp op) const {
    tails(flags, input, op, this->neighbours(name, input), nullptr);
  }
  template <int items, class Flag, class FlagOp>
  void FlagTails(Flag (&flags)[items], T (&input)[items], FlagOp op, T after) const {
    tails(flags, input, op, this->neighbours(name, input), &after);
  }
  template <int items, class Flag, class FlagOp>
  void FlagHeadsAndTails(Flag (&head)[items], Flag (&tail)[items], T (&input)[items], FlagOp op) const {
    both(head, tail, input, op, nullptr, nullptr);
  }
  template <int items, class Flag, class FlagOp>
  void FlagHeadsAndTails(Flag (&head)[items], Flag (&tail)[items], T after, T (&input)[items], FlagOp op) const {
    both(head, tail, input, op, nullptr, &after);
  }
  template <int items, class Flag, class FlagOp>
  void FlagHeadsAndTails(Flag (&head)[items], T before, Flag (&tail)[items], T (&input)[items], FlagOp op) const {
    both(head, tail, input, op, &before, nullptr);
  }
  template <int items, class Flag, class FlagOp>
  void FlagHeadsAndTails(Flag (&head)[items], T before, Flag (&tail)[items], T after, T (&input)[items], FlagOp op) const {
    both(head, tail, input, op, &before, &after);
  }

 private:
  template <int items, class Flag, class FlagOp>
  void both(Flag (&head)[items], Flag (&tail)[items], T (&input)[items], FlagOp& op, const T* before, const T* after) const {
    const auto around = this->neighbours(name, input);
    heads(head, input, op, around, before);
    tails(tail, input, op, around, after);
  }
};

}  // namespace cub
