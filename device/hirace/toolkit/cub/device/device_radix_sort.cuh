// CUB's device-wide sorts: by bits or by comparison, as a whole or segment by segment.
#pragma once

#include <algorithm>
#include <vector>

#include "../../../libraries/radix_order.h"
#include "../../thrust/detail/reorder.h"
#include "device_call.cuh"

namespace cub {

namespace detail {

// Stably sorts [begin, end) from one array into another, or in place. The values are null
// pointers if only keys are sorted.
template <class Keys, class KeysOut, class Values, class ValuesOut, class Less>
void sort_range(Keys keys, KeysOut keys_out, Values values, ValuesOut values_out, std::ptrdiff_t begin, std::ptrdiff_t end, Less less) {
  constexpr bool has_values = !std::is_same_v<Values, std::nullptr_t>;
  auto sorted_keys = thrust::detail::taken(keys + begin, keys + end);
  if constexpr (has_values) {
    auto sorted_values = thrust::detail::taken(values + begin, values + end);
    std::vector<std::ptrdiff_t> order(sorted_keys.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::ptrdiff_t>(i);
    std::stable_sort(order.begin(), order.end(), [&](std::ptrdiff_t a, std::ptrdiff_t b) {
      return less(sorted_keys[static_cast<std::size_t>(a)].value, sorted_keys[static_cast<std::size_t>(b)].value);
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
      keys_out[begin + static_cast<std::ptrdiff_t>(i)] = sorted_keys[static_cast<std::size_t>(order[i])].value;
      values_out[begin + static_cast<std::ptrdiff_t>(i)] = sorted_values[static_cast<std::size_t>(order[i])].value;
    }
  } else {
    static_cast<void>(values);
    static_cast<void>(values_out);
    std::stable_sort(sorted_keys.begin(), sorted_keys.end(), [&less](const auto& a, const auto& b) { return less(a.value, b.value); });
    thrust::detail::put(sorted_keys, keys_out + begin);
  }
}

// The segments: one that covers everything, or several given by offsets.
struct Whole {
  std::ptrdiff_t count;
  template <class Sort>
  void each(const Sort& sort) const {
    sort(std::ptrdiff_t{0}, count);
  }
};
template <class Begin, class End>
struct Segments {
  std::ptrdiff_t count;
  Begin begin;
  End end;
  template <class Sort>
  void each(const Sort& sort) const {
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      if (at(end, i) > at(begin, i)) sort(static_cast<std::ptrdiff_t>(at(begin, i)), static_cast<std::ptrdiff_t>(at(end, i)));
    }
  }
};

template <class Keys, class KeysOut, class Values, class ValuesOut, class Parts, class Less>
cudaError_t sort_parts(const char* name, void* storage, std::size_t& bytes, cudaStream_t stream, std::ptrdiff_t count, Keys keys, KeysOut keys_out,
                       Values values, ValuesOut values_out, const Parts& parts, Less less) {
  bool in_range = reaches(keys, count) && reaches(keys_out, count);
  if constexpr (!std::is_same_v<Values, std::nullptr_t>) in_range = in_range && reaches(values, count) && reaches(values_out, count);
  return two_phases(name, storage, bytes, stream, in_range, [=] {
    parts.each([&](std::ptrdiff_t begin, std::ptrdiff_t end) {
      sort_range(used(keys), used(keys_out), used(values), used(values_out), begin, end, less);
    });
  });
}

}  // namespace detail

// The overloads of a radix sort: keys or pairs, from array to array or in a double buffer.
#define HIRACE_CUB_RADIX_SORTS(suffix, descending, parameters, parts)                                                            \
  template <class Key, class Count parameters##_TYPES>                                                                           \
  static cudaError_t SortKeys##suffix(void* storage, std::size_t& bytes, const Key* keys, Key* keys_out,                         \
                                      Count count parameters##_TAKEN, int begin_bit = 0, int end_bit = sizeof(Key) * 8,          \
                                      cudaStream_t stream = 0) {                                                                 \
    const auto length = static_cast<std::ptrdiff_t>(count);                                                                      \
    return detail::sort_parts(class_name, storage, bytes, stream, length, keys, keys_out, nullptr, nullptr, parts,                           \
                              hirace::cpu::RadixLess<Key>(begin_bit, end_bit, descending));                                      \
  }                                                                                                                              \
  template <class Key, class Value, class Count parameters##_TYPES>                                                              \
  static cudaError_t SortPairs##suffix(void* storage, std::size_t& bytes, const Key* keys, Key* keys_out, const Value* values,   \
                                       Value* values_out, Count count parameters##_TAKEN, int begin_bit = 0,                     \
                                       int end_bit = sizeof(Key) * 8, cudaStream_t stream = 0) {                                 \
    const auto length = static_cast<std::ptrdiff_t>(count);                                                                      \
    return detail::sort_parts(class_name, storage, bytes, stream, length, keys, keys_out, values, values_out, parts,                         \
                              hirace::cpu::RadixLess<Key>(begin_bit, end_bit, descending));                                      \
  }                                                                                                                              \
  template <class Key, class Count parameters##_TYPES>                                                                           \
  static cudaError_t SortKeys##suffix(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys,                                \
                                      Count count parameters##_TAKEN, int begin_bit = 0, int end_bit = sizeof(Key) * 8,          \
                                      cudaStream_t stream = 0) {                                                                 \
    const auto length = static_cast<std::ptrdiff_t>(count);                                                                      \
    const cudaError_t error = detail::sort_parts(class_name, storage, bytes, stream, length, keys.Current(), keys.Alternate(), nullptr,      \
                                                 nullptr, parts, hirace::cpu::RadixLess<Key>(begin_bit, end_bit, descending));   \
    if (storage != nullptr && error == cudaSuccess) keys.selector ^= 1;                                                          \
    return error;                                                                                                                \
  }                                                                                                                              \
  template <class Key, class Value, class Count parameters##_TYPES>                                                              \
  static cudaError_t SortPairs##suffix(void* storage, std::size_t& bytes, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values,  \
                                       Count count parameters##_TAKEN, int begin_bit = 0, int end_bit = sizeof(Key) * 8,         \
                                       cudaStream_t stream = 0) {                                                                \
    const auto length = static_cast<std::ptrdiff_t>(count);                                                                      \
    const cudaError_t error =                                                                                                    \
        detail::sort_parts(class_name, storage, bytes, stream, length, keys.Current(), keys.Alternate(), values.Current(),                   \
                           values.Alternate(), parts, hirace::cpu::RadixLess<Key>(begin_bit, end_bit, descending));              \
    if (storage != nullptr && error == cudaSuccess) {                                                                            \
      keys.selector ^= 1;                                                                                                        \
      values.selector ^= 1;                                                                                                      \
    }                                                                                                                            \
    return error;                                                                                                                \
  }
#define HIRACE_CUB_WHOLE_TYPES
#define HIRACE_CUB_WHOLE_TAKEN
#define HIRACE_CUB_SEGMENTS_TYPES , class Begin, class End
#define HIRACE_CUB_SEGMENTS_TAKEN , std::ptrdiff_t segments, Begin begin, End end

struct DeviceRadixSort {
  static constexpr const char* class_name = "cub::DeviceRadixSort";
  HIRACE_CUB_RADIX_SORTS(, false, HIRACE_CUB_WHOLE, detail::Whole{length})
  HIRACE_CUB_RADIX_SORTS(Descending, true, HIRACE_CUB_WHOLE, detail::Whole{length})
};
struct DeviceSegmentedRadixSort {
  static constexpr const char* class_name = "cub::DeviceSegmentedRadixSort";
  HIRACE_CUB_RADIX_SORTS(, false, HIRACE_CUB_SEGMENTS, (detail::Segments<Begin, End>{segments, begin, end}))
  HIRACE_CUB_RADIX_SORTS(Descending, true, HIRACE_CUB_SEGMENTS, (detail::Segments<Begin, End>{segments, begin, end}))
};

}  // namespace cub
