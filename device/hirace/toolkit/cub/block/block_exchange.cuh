// cub::BlockExchange: rearranges the items of a block.
#pragma once

#include "../thread/thread_items.cuh"

namespace cub {

template <class T, int block_x, int items, bool warp_time_slicing = false, int block_y = 1, int block_z = 1,
          int legacy_architecture = 0>
class BlockExchange
    : public hirace::cpu::BlockOperation<BlockExchange<T, block_x, items, warp_time_slicing, block_y, block_z, legacy_architecture>,
                                         block_x * block_y * block_z> {
  static constexpr int threads = block_x * block_y * block_z;
  using Base = hirace::cpu::BlockOperation<BlockExchange, threads>;

 public:
  using Base::Base;

#define HIRACE_CUB_REARRANGE(name, from, to)                        \
  template <class Output>                                           \
  void name(const T (&input)[items], Output (&output)[items]) const { \
    rearrange(input, output, from, to);                             \
  }                                                                 \
  void name(T (&values)[items]) const { rearrange(values, values, from, to); }
  HIRACE_CUB_REARRANGE(StripedToBlocked, striped, blocked)
  HIRACE_CUB_REARRANGE(BlockedToStriped, blocked, striped)
  // These two exchange items only within a warp.
  HIRACE_CUB_REARRANGE(WarpStripedToBlocked, warp_striped, blocked)
  HIRACE_CUB_REARRANGE(BlockedToWarpStriped, blocked, warp_striped)
#undef HIRACE_CUB_REARRANGE

  template <class Output, class Rank>
  void ScatterToBlocked(const T (&input)[items], Output (&output)[items], Rank (&ranks)[items]) const {
    scatter(input, output, ranks, blocked, [](int) { return true; });
  }
  template <class Rank>
  void ScatterToBlocked(T (&values)[items], Rank (&ranks)[items]) const {
    ScatterToBlocked(values, values, ranks);
  }
  template <class Output, class Rank>
  void ScatterToStriped(const T (&input)[items], Output (&output)[items], Rank (&ranks)[items]) const {
    scatter(input, output, ranks, striped, [](int) { return true; });
  }
  template <class Rank>
  void ScatterToStriped(T (&values)[items], Rank (&ranks)[items]) const {
    ScatterToStriped(values, values, ranks);
  }
  // Items with a negative rank are left out.
  template <class Output, class Rank>
  void ScatterToStripedGuarded(const T (&input)[items], Output (&output)[items], Rank (&ranks)[items]) const {
    scatter(input, output, ranks, striped, [&ranks](int i) { return ranks[i] >= 0; });
  }
  template <class Rank>
  void ScatterToStripedGuarded(T (&values)[items], Rank (&ranks)[items]) const {
    ScatterToStripedGuarded(values, values, ranks);
  }
  template <class Output, class Rank, class Flag>
  void ScatterToStripedFlagged(const T (&input)[items], Output (&output)[items], Rank (&ranks)[items], Flag (&flags)[items]) const {
    scatter(input, output, ranks, striped, [&flags](int i) { return static_cast<bool>(flags[i]); });
  }
  template <class Rank, class Flag>
  void ScatterToStripedFlagged(T (&values)[items], Rank (&ranks)[items], Flag (&flags)[items]) const {
    ScatterToStripedFlagged(values, values, ranks, flags);
  }

 private:
  using Place = int (*)(int thread, int item);
  static int blocked(int thread, int item) { return thread * items + item; }
  static int striped(int thread, int item) { return item * threads + thread; }
  static int warp_striped(int thread, int item) { return detail::warp_striped(thread, items)(item); }

  struct Data : hirace::cpu::BlockData, hirace::cpu::LaneData {
    T value[items];    // this thread's input
    T taken[items];
    int place[items];  // where each input goes; negative: nowhere
    int from[items];   // the places to take from

    // For a part of the block that exchanges items only within itself.
    template <class Operands>
    static void combine(Operands& operands, unsigned count) {
      static thread_local T* taker[(threads + 31) / 32 * 32 * items];
      for (unsigned thread = 0; thread < count; ++thread) {
        for (int i = 0; i < items; ++i) taker[operands[thread].from[i]] = &operands[thread].taken[i];
      }
      for (unsigned thread = 0; thread < count; ++thread) {
        const Data& data = operands[thread];
        for (int i = 0; i < items; ++i) {
          if (data.place[i] >= 0 && data.place[i] < threads * items) *taker[data.place[i]] = data.value[i];
        }
      }
    }
    static void combine(hirace::cpu::LaneOperands<Data>& operands) { combine(operands, operands.lanes); }
  };

  template <class Output>
  void rearrange(const T (&input)[items], Output (&output)[items], Place from, Place to) const {
    Data data;
    for (int i = 0; i < items; ++i) {
      data.value[i] = input[i];
      data.place[i] = from(static_cast<int>(this->thread()), i);
      data.from[i] = to(static_cast<int>(this->thread()), i);
    }
    if (from == &warp_striped || to == &warp_striped) {
      this->all_of_warp(data);
    } else {
      exchange(data);
    }
    for (int i = 0; i < items; ++i) output[i] = data.taken[i];
  }

  template <class Output, class Rank, class Takes>
  void scatter(const T (&input)[items], Output (&output)[items], Rank (&ranks)[items], Place to, const Takes& takes) const {
    Data data;
    for (int i = 0; i < items; ++i) {
      data.value[i] = data.taken[i] = input[i];
      data.place[i] = takes(i) ? static_cast<int>(ranks[i]) : -1;
      data.from[i] = to(static_cast<int>(this->thread()), i);
    }
    exchange(data);
    for (int i = 0; i < items; ++i) output[i] = data.taken[i];
  }

  void exchange(Data& data) const {
    this->all("cub::BlockExchange", data, [](auto& operands) { Data::combine(operands, operands.threads); });
  }
};

}  // namespace cub
