// cub::WarpMergeSort.
#pragma once

#include "../block/block_merge_sort.cuh"

namespace cub {

namespace detail {

template <class Self, class Key, int threads, int items, class Value>
using MergeSortOfWarp = MergeSort<Self, hirace::cpu::WarpOperation<Self, threads, true>, Key, items, Value>;

}  // namespace detail

template <class Key, int items, int logical_threads = 32, class Value = NullType>
class WarpMergeSort
    : public detail::MergeSortOfWarp<WarpMergeSort<Key, items, logical_threads, Value>, Key, logical_threads, items, Value> {
  using Base = detail::MergeSortOfWarp<WarpMergeSort, Key, logical_threads, items, Value>;
  friend Base;

 public:
  using Base::Base;

 private:
  static std::uint32_t number() { return Base::rank(); }

  template <class Compare>
  struct Data : detail::SortData<Key, Value> {
    Compare* compare;
    int valid;
    static void combine(hirace::cpu::LaneOperands<Data>& operands) {
      detail::sort_items<items>(operands, operands.lanes, *operands[0].compare, operands[0].valid, false);
    }
  };
  template <class Compare>
  void sort(Key* keys, Value* values, Compare& compare, int valid) const {
    Data<Compare> data;
    data.keys = keys;
    data.values = values;
    data.compare = &compare;
    data.valid = valid;
    this->all(data);
  }
};

}  // namespace cub
