// CUB's device-wide sorts by comparison, and segmented sorts by the order of the keys.
#pragma once

#include "device_radix_sort.cuh"

namespace cub {

struct DeviceMergeSort {
  static constexpr const char* class_name = "cub::DeviceMergeSort";
#define HIRACE_CUB_MERGE_SORTS(prefix)                                                                                              \
  template <class Keys, class Count, class Compare>                                                                                 \
  static cudaError_t prefix##SortKeys(void* storage, std::size_t& bytes, Keys keys, Count count, Compare compare,                   \
                                      cudaStream_t stream = 0) {                                                                    \
    return prefix##SortKeysCopy(storage, bytes, keys, keys, count, compare, stream);                                                \
  }                                                                                                                                 \
  template <class Keys, class KeysOut, class Count, class Compare>                                                                  \
  static cudaError_t prefix##SortKeysCopy(void* storage, std::size_t& bytes, Keys keys, KeysOut keys_out, Count count,              \
                                          Compare compare, cudaStream_t stream = 0) {                                               \
    const auto length = static_cast<std::ptrdiff_t>(count);                                                                         \
    return detail::sort_parts(class_name, storage, bytes, stream, length, keys, keys_out, nullptr, nullptr, detail::Whole{length}, compare);    \
  }                                                                                                                                 \
  template <class Keys, class Values, class Count, class Compare>                                                                   \
  static cudaError_t prefix##SortPairs(void* storage, std::size_t& bytes, Keys keys, Values values, Count count, Compare compare,   \
                                       cudaStream_t stream = 0) {                                                                   \
    return prefix##SortPairsCopy(storage, bytes, keys, values, keys, values, count, compare, stream);                               \
  }                                                                                                                                 \
  template <class Keys, class Values, class KeysOut, class ValuesOut, class Count, class Compare>                                   \
  static cudaError_t prefix##SortPairsCopy(void* storage, std::size_t& bytes, Keys keys, Values values, KeysOut keys_out,           \
                                           ValuesOut values_out, Count count, Compare compare, cudaStream_t stream = 0) {           \
    const auto length = static_cast<std::ptrdiff_t>(count);                                                                         \
    return detail::sort_parts(class_name, storage, bytes, stream, length, keys, keys_out, values, values_out, detail::Whole{length}, compare);  \
  }
  HIRACE_CUB_MERGE_SORTS()
  HIRACE_CUB_MERGE_SORTS(Stable)
#undef HIRACE_CUB_MERGE_SORTS
};

struct DeviceSegmentedSort {
  static constexpr const char* class_name = "cub::DeviceSegmentedSort";
#define HIRACE_CUB_SEGMENTED_SORTS(prefix, suffix, less)                                                                            \
  template <class Key, class Begin, class End>                                                                                      \
  static cudaError_t prefix##SortKeys##suffix(void* storage, std::size_t& bytes, const Key* keys, Key* keys_out,                    \
                                              std::ptrdiff_t count, std::ptrdiff_t segments, Begin begin, End end,                  \
                                              cudaStream_t stream = 0) {                                                            \
    const detail::Segments<Begin, End> parts{segments, begin, end};                                                                 \
    return detail::sort_parts(class_name, storage, bytes, stream, count, keys, keys_out, nullptr, nullptr, parts, less);                        \
  }                                                                                                                                 \
  template <class Key, class Value, class Begin, class End>                                                                         \
  static cudaError_t prefix##SortPairs##suffix(void* storage, std::size_t& bytes, const Key* keys, Key* keys_out,                   \
                                               const Value* values, Value* values_out, std::ptrdiff_t count,                        \
                                               std::ptrdiff_t segments, Begin begin, End end, cudaStream_t stream = 0) {            \
    const detail::Segments<Begin, End> parts{segments, begin, end};                                                                 \
    return detail::sort_parts(class_name, storage, bytes, stream, count, keys, keys_out, values, values_out, parts, less);                      \
  }
  HIRACE_CUB_SEGMENTED_SORTS(, , thrust::less<>())
  HIRACE_CUB_SEGMENTED_SORTS(, Descending, thrust::greater<>())
  HIRACE_CUB_SEGMENTED_SORTS(Stable, , thrust::less<>())
  HIRACE_CUB_SEGMENTED_SORTS(Stable, Descending, thrust::greater<>())
#undef HIRACE_CUB_SEGMENTED_SORTS
};

}  // namespace cub
