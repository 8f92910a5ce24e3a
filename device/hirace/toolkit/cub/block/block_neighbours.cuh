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
    T before, behind;  // the neighbours'
  };

  template <int items>
  Neighbours neighbours(const char* name, const T (&input)[items]) const {
    Neighbours data;
    data.first = input[0];
    data.last = input[items - 1];
    this->all(name, data, [](auto& brought) {
      for (unsigned i = 0; i < brought.threads; ++i) {
        if (i > 0) brought[i].before = brought[i - 1].last;
        if (i + 1 < brought.threads) brought[i].behind = brought[i + 1].first;
      }
    });
    return data;
  }
  bool is_first() const { return this->thread() == 0; }
  bool is_last() const { return this->thread() + 1 == threads; }
};

}  // namespace cub::detail
