// cub::BlockMergeSort, and what all sorts of blocks and warps have in common.
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
template <int items, class Operands, class Less>
void sort_items(Operands& operands, unsigned count, Less less, int valid, bool to_striped) {
  using Key = std::remove_reference_t<decltype(*operands[0].keys)>;
  using Value = std::remove_reference_t<decltype(*operands[0].values)>;
  struct Item {
    Key key;
    Value value;
  };
  const bool has_values = operands[0].values != nullptr;
  std::vector<Item> sorted(count * items);
  for (unsigned i = 0; i < sorted.size(); ++i) {
    sorted[i].key = operands[i / items].keys[i % items];
    if (has_values) sorted[i].value = operands[i / items].values[i % items];
  }
  const auto end = sorted.begin() + std::min<std::ptrdiff_t>(valid, static_cast<std::ptrdiff_t>(sorted.size()));
  std::stable_sort(sorted.begin(), end, [&less](const Item& a, const Item& b) { return less(a.key, b.key); });
  for (unsigned i = 0; i < sorted.size(); ++i) {
    const unsigned thread = to_striped ? i % count : i / items, item = to_striped ? i / count : i % items;
    operands[thread].keys[item] = sorted[i].key;
    if (has_values) operands[thread].values[item] = sorted[i].value;
  }
}

// What the sorts of a block and of a warp have in common. `Self` numbers its threads and sorts their items.
template <class Self, class Operation, class Key, int items, class Value>
class MergeSort : public Operation {
 public:
  using Operation::Operation;

  template <class Compare>
  void Sort(Key (&keys)[items], Compare compare) const {
    self().sort(keys, nullptr, compare, all_items);
  }
  // Items beyond the valid ones become `oob_default`.
  template <class Compare>
  void Sort(Key (&keys)[items], Compare compare, int valid_items, Key oob_default) const {
    fill(keys, valid_items, oob_default);
    self().sort(keys, nullptr, compare, valid_items);
  }
  template <class Compare>
  void Sort(Key (&keys)[items], Value (&values)[items], Compare compare) const {
    self().sort(keys, values, compare, all_items);
  }
  template <class Compare>
  void Sort(Key (&keys)[items], Value (&values)[items], Compare compare, int valid_items, Key oob_default) const {
    fill(keys, valid_items, oob_default);
    self().sort(keys, values, compare, valid_items);
  }
  template <class... Arguments>
  void StableSort(Key (&keys)[items], Arguments&&... arguments) const {
    Sort(keys, arguments...);
  }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }

  void fill(Key* keys, int valid, const Key& value) const {
    for (int i = 0; i < items; ++i) {
      if (static_cast<int>(Self::number()) * items + i >= valid) keys[i] = value;
    }
  }
};

template <class Self, class Key, int threads, int items, class Value>
using MergeSortOfBlock = MergeSort<Self, hirace::cpu::BlockOperation<Self, threads>, Key, items, Value>;

}  // namespace detail

template <class Key, int block_x, int items, class Value = NullType, int block_y = 1, int block_z = 1>
class BlockMergeSort : public detail::MergeSortOfBlock<BlockMergeSort<Key, block_x, items, Value, block_y, block_z>, Key,
                                                       block_x * block_y * block_z, items, Value> {
  using Base = detail::MergeSortOfBlock<BlockMergeSort, Key, block_x * block_y * block_z, items, Value>;
  friend Base;

 public:
  using Base::Base;

 private:
  static std::uint32_t number() { return Base::thread(); }

  template <class Compare>
  void sort(Key* keys, Value* values, Compare& compare, int valid) const {
    detail::SortData<Key, Value> data;
    data.keys = keys;
    data.values = values;
    this->all("cub::BlockMergeSort", data, [&compare, valid](auto& operands) {
      detail::sort_items<items>(operands, operands.threads, compare, valid, false);
    });
  }
};

}  // namespace cub
