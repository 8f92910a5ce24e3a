// cub::BlockMergeSort, and the function behind all block and warp sorts.
#pragma once

#include <algorithm>
#include <vector>

#include "../thread/thread_items.cuh"
#include "block_scan.cuh"

namespace cub {

namespace detail {

template <class Key, class Value>
struct SortData : hirace::cpu::BlockData, hirace::cpu::LaneData {
  Key* keys;
  Value* values;  // null if only keys are sorted
};

// Stably sorts the first `valid` items of `count` threads.
template <int items, class Brought, class Less>
void sort_items(Brought& brought, unsigned count, Less less, int valid, bool to_striped) {
  using Key = std::remove_reference_t<decltype(*brought[0].keys)>;
  using Value = std::remove_reference_t<decltype(*brought[0].values)>;
  struct Item {
    Key key;
    Value value;
  };
  const bool has_values = brought[0].values != nullptr;
  std::vector<Item> sorted(count * items);
  for (unsigned i = 0; i < sorted.size(); ++i) {
    sorted[i].key = brought[i / items].keys[i % items];
    if (has_values) sorted[i].value = brought[i / items].values[i % items];
  }
  const auto end = sorted.begin() + std::min<std::ptrdiff_t>(valid, static_cast<std::ptrdiff_t>(sorted.size()));
  std::stable_sort(sorted.begin(), end, [&less](const Item& a, const Item& b) { return less(a.key, b.key); });
  for (unsigned i = 0; i < sorted.size(); ++i) {
    const unsigned thread = to_striped ? i % count : i / items, item = to_striped ? i / count : i % items;
    brought[thread].keys[item] = sorted[i].key;
    if (has_values) brought[thread].values[item] = sorted[i].value;
  }
}

}  // namespace detail

template <class Key, int block_x, int items, class Value = NullType, int block_y = 1, int block_z = 1>
class BlockMergeSort : public hirace::cpu::BlockOperation<BlockMergeSort<Key, block_x, items, Value, block_y, block_z>,
                                                          block_x * block_y * block_z> {
  using Base = hirace::cpu::BlockOperation<BlockMergeSort, block_x * block_y * block_z>;

 public:
  using Base::Base;

  template <class Compare>
  void Sort(Key (&keys)[items], Compare compare) const {
    sort(keys, nullptr, compare, detail::all_items);
  }
  // Items beyond the valid ones become `oob_default`.
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
  void fill(Key* keys, int valid, const Key& value) const {
    for (int i = 0; i < items; ++i) {
      if (static_cast<int>(this->thread()) * items + i >= valid) keys[i] = value;
    }
  }
  template <class Compare>
  void sort(Key* keys, Value* values, Compare& compare, int valid) const {
    detail::SortData<Key, Value> data;
    data.keys = keys;
    data.values = values;
    this->all("cub::BlockMergeSort", data, [&compare, valid](auto& brought) {
      detail::sort_items<items>(brought, brought.threads, compare, valid, false);
    });
  }
};

}  // namespace cub
