// cub::BlockShuffle: moves items between neighbouring threads.
#pragma once

#include "../../../libraries/cub_operation.h"

namespace cub {

template <class T, int block_x, int block_y = 1, int block_z = 1, int legacy_architecture = 0>
class BlockShuffle
    : public hirace::cpu::BlockOperation<BlockShuffle<T, block_x, block_y, block_z, legacy_architecture>, block_x * block_y * block_z> {
  static constexpr int threads = block_x * block_y * block_z;
  using Base = hirace::cpu::BlockOperation<BlockShuffle, threads>;

  struct Data : hirace::cpu::BlockData {
    T first, last;  // this thread's input
    int source;     // the thread to take from
    bool takes_last;
    T taken;        // set if `source` is a thread
    T edge_first, edge_last;
  };

 public:
  using Base::Base;

  // The output stays unchanged if there is no such thread.
  void Offset(T input, T& output, int distance = 1) const {
    Data data = moved(input, input, static_cast<int>(this->thread()) + distance, false);
    if (data.source >= 0 && data.source < threads) output = data.taken;
  }
  void Rotate(T input, T& output, unsigned int distance = 1) const {
    output = moved(input, input, static_cast<int>((this->thread() + distance) % threads), false).taken;
  }
  template <int items>
  void Up(T (&input)[items], T (&prev)[items]) const {
    T suffix;
    Up(input, prev, suffix);
  }
  template <int items>
  void Up(T (&input)[items], T (&prev)[items], T& block_suffix) const {
    const Data data = moved(input[0], input[items - 1], static_cast<int>(this->thread()) - 1, true);
    for (int i = items - 1; i > 0; --i) prev[i] = input[i - 1];
    if (this->thread() > 0) prev[0] = data.taken;
    block_suffix = data.edge_last;
  }
  template <int items>
  void Down(T (&input)[items], T (&next)[items]) const {
    T prefix;
    Down(input, next, prefix);
  }
  template <int items>
  void Down(T (&input)[items], T (&next)[items], T& block_prefix) const {
    const Data data = moved(input[0], input[items - 1], static_cast<int>(this->thread()) + 1, false);
    for (int i = 0; i + 1 < items; ++i) next[i] = input[i + 1];
    if (this->thread() + 1 < threads) next[items - 1] = data.taken;
    block_prefix = data.edge_first;
  }

 private:
  Data moved(const T& first, const T& last, int source, bool takes_last) const {
    Data data;
    data.first = first;
    data.last = last;
    data.source = source;
    data.takes_last = takes_last;
    this->all("cub::BlockShuffle", data, [](auto& operands) {
      for (unsigned i = 0; i < operands.threads; ++i) {
        Data& own = operands[i];
        own.edge_first = operands[0].first;
        own.edge_last = operands[threads - 1].last;
        if (own.source < 0 || own.source >= threads) continue;
        const Data& from = operands[static_cast<unsigned>(own.source)];
        own.taken = own.takes_last ? from.last : from.first;
      }
    });
    return data;
  }
};

}  // namespace cub
