// cub::WarpMergeSort.
#pragma once

#include "../block/block_merge_sort.cuh"

namespace cub {

template <class Key, int items, int logical_threads = 32, class Value = NullType>
class WarpMergeSort : public hirace::cpu::WarpOperation<WarpMergeSort<Key, items, logical_threads, Value>, logical_threads, true> {
  using Base = hirace::cpu::WarpOperation<WarpMergeSort, logical_threads, true>;

 public:
  using Base::Base;

  template <class Compare>
  void Sort(Key (&keys)[items], Compare compare) const {
    sort(keys, nullptr, compare, detail::all_items);
  }
  template <class Compare>
  void Sort(Key (&keys)[items], Compare compare, int valid_items, Key oob_default) const {
    fill(keys, valid_items, oob_default);
    sort(keys, nullptr, compare, valid_items);
  }
  template <class Compare>
  void Sort(Key (&keys)[items], Value (&values)[items], Compare compare) const {
    sort(keys, values, compare, detail::all_items);
  }
  template <class Compare>
  void Sort(Key (&keys)[items], Value (&values)[items], Compare compare, int valid_items, Key oob_default) const {
    fill(keys, valid_items, oob_default);
    sort(keys, values, compare, valid_items);
  }
  template <class... Arguments>
  void StableSort(Key (&keys)[items], Arguments&&... arguments) const {
    Sort(keys, arguments...);
  }

 private:
  template <class Compare>
  struct Data : detail::SortData<Key, Value> {
    Compare* compare;
    int valid;
    static void combine(hirace::cpu::LanesBrought<Data>& brought) {
      detail::sort_items<items>(brought, brought.lanes, *brought[0].compare, brought[0].valid, false);
    }
  };
  void fill(Key* keys, int valid, const Key& value) const {
    for (int i = 0; i < items; ++i) {
      if (static_cast<int>(this->rank()) * items + i >= valid) keys[i] = value;
    }
  }
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
