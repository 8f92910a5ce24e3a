// cub::BlockHistogram: counts items in the caller's bins, in shared or global memory.
#pragma once

#include "../../../libraries/cub_operation.h"

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int block_x, int items, int bins, BlockHistogramAlgorithm algorithm = BLOCK_HISTO_SORT, int block_y = 1,
          int block_z = 1, int legacy_architecture = 0>
class BlockHistogram
    : public hirace::cpu::BlockOperation<BlockHistogram<T, block_x, items, bins, algorithm, block_y, block_z, legacy_architecture>,
                                         block_x * block_y * block_z> {
  static constexpr int threads = block_x * block_y * block_z;
  using Base = hirace::cpu::BlockOperation<BlockHistogram, threads>;
  using AccessKind = hirace::AccessKind;

 public:
  using Base::Base;

  template <class Counter>
  void InitHistogram(Counter histogram[bins]) const {
    for (int bin = static_cast<int>(this->thread()); bin < bins; bin += threads) {
      hirace::cpu::store_at(this->site(), histogram, bin, Counter());
    }
  }
  template <class Counter>
  void Histogram(T (&values)[items], Counter histogram[bins]) const {
    InitHistogram(histogram);
    hirace::syncthreads(this->site());
    Composite(values, histogram);
  }
  // By atomic additions, or by sorting, after which one thread adds up each bin.
  template <class Counter>
  void Composite(T (&values)[items], Counter histogram[bins]) const {
    if constexpr (algorithm == BLOCK_HISTO_ATOMIC) {
      for (const T& value : values) add(AccessKind::device_atomic, histogram[static_cast<int>(value)], 1);
    } else {
      struct Sorted : hirace::cpu::BlockData {
        T* values;
        unsigned* counts;
      } data;
      unsigned counts[bins] = {};
      data.values = values;
      data.counts = counts;
      this->all("cub::BlockHistogram", data, [](auto& operands) {
        for (unsigned thread = 0; thread < operands.threads; ++thread) {
          for (int i = 0; i < items; ++i) {
            const int bin = static_cast<int>(operands[thread].values[i]);
            ++operands[static_cast<unsigned>(bin) % operands.threads].counts[bin];
          }
        }
      });
      for (int bin = 0; bin < bins; ++bin) {
        if (counts[bin] != 0) add(AccessKind::update, histogram[bin], counts[bin]);
      }
    }
  }

 private:
  template <class Counter>
  void add(AccessKind kind, Counter& counter, unsigned count) const {
    if (this->site() != hirace::unchecked_site) hirace::detail::check_lvalue(this->site(), counter, kind, kind);
    Counter old = counter, sum;
    do {
      sum = static_cast<Counter>(old + static_cast<Counter>(count));
    } while (!__atomic_compare_exchange(&counter, &old, &sum, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  }
};

}  // namespace cub
