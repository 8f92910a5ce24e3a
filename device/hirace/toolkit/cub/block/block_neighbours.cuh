// The adjacent items of a thread's neighbours, for BlockDiscontinuity and
// BlockAdjacentDifference.
#pragma once

#include "../../../libraries/cub_operation.h"

namespace cub::detail {

template <class Self, class T, int threads>
class NeighbourOperation : public hirace::cpu::BlockOperation<Self, threads> {
  using Base = hirace::cpu::BlockOperation<Self, threads>;

 public:
  using Base::Base;

 protected:
  struct Neighbours : hirace::cpu::BlockData {
    T first, last;     // the thread's own
    T before, after;  // the neighbours'
  };

  template <int items>
  Neighbours neighbours(const char* name, const T (&input)[items]) const {
    Neighbours data;
    data.first = input[0];
    data.last = input[items - 1];
    this->all(name, data, [](auto& operands) {
      for (unsigned i = 0; i < operands.threads; ++i) {
        if (i > 0) operands[i].before = operands[i - 1].last;
        if (i + 1 < operands.threads) operands[i].after = operands[i + 1].first;
      }
    });
    return data;
  }
  bool is_first() const { return this->thread() == 0; }
  bool is_last() const { return this->thread() + 1 == threads; }
};

}  // namespace cub::detail
