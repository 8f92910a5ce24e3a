// cub::WarpExchange: rearranges the items of a logical warp.
#pragma once

#include "../thread/thread_items.cuh"

namespace cub {

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <class T, int items, int logical_threads = 32, WarpExchangeAlgorithm algorithm = WARP_EXCHANGE_SMEM>
class WarpExchange : public hirace::cpu::WarpOperation<WarpExchange<T, items, logical_threads, algorithm>, logical_threads, true> {
  using Base = hirace::cpu::WarpOperation<WarpExchange, logical_threads, true>;
  static constexpr int threads = logical_threads;

 public:
  using Base::Base;

  template <class Output>
  void BlockedToStriped(const T (&input)[items], Output (&output)[items]) const {
    exchange(input, output, [](int rank, int i) { return rank * items + i; }, striped);
  }
  template <class Output>
  void StripedToBlocked(const T (&input)[items], Output (&output)[items]) const {
    exchange(input, output, striped, [](int rank, int i) { return rank * items + i; });
  }
  template <class Rank>
  void ScatterToStriped(T (&values)[items], Rank (&ranks)[items]) const {
    ScatterToStriped(values, values, ranks);
  }
  template <class Output, class Rank>
  void ScatterToStriped(const T (&input)[items], Output (&output)[items], Rank (&ranks)[items]) const {
    exchange(input, output, [&ranks](int, int i) { return static_cast<int>(ranks[i]); }, striped);
  }

 private:
  static int striped(int rank, int i) { return i * threads + rank; }

  struct Data : hirace::cpu::LaneData {
    T value[items], taken[items];
    int place[items], from[items];

    static void combine(hirace::cpu::LaneOperands<Data>& operands) {
      T* taker[threads * items] = {};
      for (unsigned rank = 0; rank < operands.lanes; ++rank) {
        for (int i = 0; i < items; ++i) taker[operands[rank].from[i]] = &operands[rank].taken[i];
      }
      for (unsigned rank = 0; rank < operands.lanes; ++rank) {
        for (int i = 0; i < items; ++i) {
          const int place = operands[rank].place[i];
          if (place >= 0 && place < threads * items && taker[place] != nullptr) *taker[place] = operands[rank].value[i];
        }
      }
    }
  };
  template <class Output, class From, class To>
  void exchange(const T (&input)[items], Output (&output)[items], const From& from, const To& to) const {
    Data data;
    for (int i = 0; i < items; ++i) {
      data.value[i] = data.taken[i] = input[i];
      data.place[i] = from(static_cast<int>(this->rank()), i);
      data.from[i] = to(static_cast<int>(this->rank()), i);
    }
    this->all(data);
    for (int i = 0; i < items; ++i) output[i] = data.taken[i];
  }
};

}  // namespace cub
