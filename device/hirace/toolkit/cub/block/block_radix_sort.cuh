// cub::BlockRadixSort. Keys are arithmetic types, half and bfloat16.
#pragma once

#include "../../../libraries/radix_order.h"
#include "block_merge_sort.cuh"

namespace cub {

template <class Key, int block_x, int items, class Value = NullType, int radix_bits = 4, bool memoize = true,
          BlockScanAlgorithm inner_scan = BLOCK_SCAN_WARP_SCANS, cudaSharedMemConfig config = cudaSharedMemBankSizeFourByte,
          int block_y = 1, int block_z = 1, int legacy_architecture = 0>
class BlockRadixSort
    : public hirace::cpu::BlockOperation<
          BlockRadixSort<Key, block_x, items, Value, radix_bits, memoize, inner_scan, config, block_y, block_z, legacy_architecture>,
          block_x * block_y * block_z> {
  static constexpr int threads = block_x * block_y * block_z;
  static constexpr int key_bits = sizeof(Key) * 8;
  using Base = hirace::cpu::BlockOperation<BlockRadixSort, threads>;

 public:
  using Base::Base;

#define HIRACE_CUB_RADIX_SORT(name, descending, to_striped)                                                       \
  void name(Key (&keys)[items], int begin_bit = 0, int end_bit = key_bits) const {                                \
    sort(keys, static_cast<Value*>(nullptr), begin_bit, end_bit, descending, to_striped);                         \
  }                                                                                                               \
  void name(Key (&keys)[items], Value (&values)[items], int begin_bit = 0, int end_bit = key_bits) const {        \
    sort(keys, values, begin_bit, end_bit, descending, to_striped);                                               \
  }
  HIRACE_CUB_RADIX_SORT(Sort, false, false)
  HIRACE_CUB_RADIX_SORT(SortDescending, true, false)
  HIRACE_CUB_RADIX_SORT(SortBlockedToStriped, false, true)
  HIRACE_CUB_RADIX_SORT(SortDescendingBlockedToStriped, true, true)
#undef HIRACE_CUB_RADIX_SORT

 private:
  void sort(Key* keys, Value* values, int begin_bit, int end_bit, bool descending, bool to_striped) const {
    detail::SortData<Key, Value> data;
    data.keys = keys;
    data.values = values;
    this->all("cub::BlockRadixSort", data, [=](auto& operands) {
      detail::sort_items<items>(operands, operands.threads, hirace::cpu::RadixLess<Key>(begin_bit, end_bit, descending),
                                detail::all_items, to_striped);
    });
  }
};

}  // namespace cub
