// cub::DeviceReduce and DeviceSegmentedReduce.
#pragma once

#include <limits>

#include "../../thrust/detail/reductions.h"
#include "device_call.cuh"

namespace cub {

namespace detail {

template <class In, class Out, class T, class Op>
void reduce_to(In in, Out out, std::ptrdiff_t begin, std::ptrdiff_t end, Op op, T init) {
  std::decay_t<decltype(op(init, at(in)))> sum = init;
  for (std::ptrdiff_t i = begin; i < end; ++i) sum = op(sum, at(in, i));
  *out = sum;
}

// The first of the smallest elements, as its position in the range and its value.
template <class In, class Out, class Less, class Value>
void extremum_to(In in, Out out, std::ptrdiff_t begin, std::ptrdiff_t end, Less less, Value empty) {
  KeyValuePair<int, Value> best(end > begin ? 0 : 1, end > begin ? Value(at(in, begin)) : empty);
  for (std::ptrdiff_t i = begin; i < end; ++i) {
    const Value value = at(in, i);
    if (less(value, best.value)) best = {static_cast<int>(i - begin), value};
  }
  *out = best;
}

template <class T>
constexpr T highest() {
  return std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}
template <class T>
constexpr T lowest() {
  return std::numeric_limits<T>::has_infinity ? static_cast<T>(-std::numeric_limits<T>::infinity()) : std::numeric_limits<T>::lowest();
}

}  // namespace detail

struct DeviceReduce {
  template <class In, class Out, class Op, class T, class Count>
  static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, Count count, Op op, T init, cudaStream_t stream = 0) {
    const bool in_range = detail::reaches(in, count) && detail::reaches(out, 1);
    return detail::two_phases("cub::DeviceReduce", storage, bytes, stream, in_range,
                              [=] { detail::reduce_to(detail::used(in), detail::used(out), 0, static_cast<std::ptrdiff_t>(count), op, init); });
  }
  template <class In, class Out, class Count>
  static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, Count count, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, count, cub::Sum(), detail::stored_as<Out, detail::value_of<In>>(), stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, Count count, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, count, cub::Min(), detail::highest<detail::value_of<In>>(), stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, Count count, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, count, cub::Max(), detail::lowest<detail::value_of<In>>(), stream);
  }

// Both forms of the output: a pair, or value and position separately.
#define HIRACE_CUB_EXTREMUM(name, less, empty)                                                                                    \
  template <class In, class Out, class Count, detail::if_number<Count> = nullptr>                                                 \
  static cudaError_t name(void* storage, std::size_t& bytes, In in, Out out, Count count, cudaStream_t stream = 0) {              \
    using Value = detail::value_of<In>;                                                                                           \
    return detail::two_phases("cub::DeviceReduce", storage, bytes, stream, detail::reaches(in, count), [=] {                      \
      detail::extremum_to(detail::used(in), detail::used(out), 0, static_cast<std::ptrdiff_t>(count), less, detail::empty<Value>());                          \
    });                                                                                                                           \
  }                                                                                                                               \
  template <class In, class Out, class Index, class Count, detail::if_number<Count> = nullptr>                                    \
  static cudaError_t name(void* storage, std::size_t& bytes, In in, Out out, Index index_out, Count count,                        \
                          cudaStream_t stream = 0) {                                                                              \
    using Value = detail::value_of<In>;                                                                                           \
    return detail::two_phases("cub::DeviceReduce", storage, bytes, stream, detail::reaches(in, count), [=] {                      \
      KeyValuePair<int, Value> best;                                                                                              \
      detail::extremum_to(detail::used(in), &best, 0, static_cast<std::ptrdiff_t>(count), less, detail::empty<Value>());                        \
      *detail::used(out) = best.value;                                                                                            \
      *detail::used(index_out) = best.key;                                                                                        \
    });                                                                                                                           \
  }
  HIRACE_CUB_EXTREMUM(ArgMin, thrust::less<>(), highest)
  HIRACE_CUB_EXTREMUM(ArgMax, thrust::greater<>(), lowest)
#undef HIRACE_CUB_EXTREMUM

  template <class In, class Out, class Op, class Transform, class T, class Count>
  static cudaError_t TransformReduce(void* storage, std::size_t& bytes, In in, Out out, Count count, Op op, Transform transform, T init,
                                     cudaStream_t stream = 0) {
    return Reduce(storage, bytes, thrust::make_transform_iterator(in, transform), out, count, op, init, stream);
  }
  template <class Keys, class Unique, class Values, class Sums, class Runs, class Op, class Count>
  static cudaError_t ReduceByKey(void* storage, std::size_t& bytes, Keys keys, Unique unique, Values values, Sums sums, Runs runs, Op op,
                                 Count count, cudaStream_t stream = 0) {
    const bool in_range = detail::reaches(keys, count) && detail::reaches(values, count);
    return detail::two_phases("cub::DeviceReduce", storage, bytes, stream, in_range, [=]() mutable {
      const auto first = detail::used(keys);
      const auto begin = detail::used(unique);
      const auto ends = thrust::detail::bodies::reduce_by_key(first, first + static_cast<std::ptrdiff_t>(count), detail::used(values),
                                                              begin, detail::used(sums), thrust::equal_to<>(), op);
      *detail::used(runs) = static_cast<detail::value_of<Runs>>(ends.first - begin);
    });
  }
};

// Segment i goes from begin[i] to end[i].
struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Op, class T>
  static cudaError_t Reduce(void* storage, std::size_t& bytes, In in, Out out, std::ptrdiff_t segments, Begin begin, End end, Op op, T init,
                            cudaStream_t stream = 0) {
    const bool in_range = detail::reaches(begin, segments) && detail::reaches(end, segments) && detail::reaches(out, segments);
    return detail::two_phases("cub::DeviceSegmentedReduce", storage, bytes, stream, in_range, [=] {
      for (std::ptrdiff_t i = 0; i < segments; ++i) {
        detail::reduce_to(detail::used(in), detail::used(out) + i, detail::at(begin, i), detail::at(end, i), op, init);
      }
    });
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Sum(void* storage, std::size_t& bytes, In in, Out out, std::ptrdiff_t segments, Begin begin, End end,
                         cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, segments, begin, end, cub::Sum(), detail::stored_as<Out, detail::value_of<In>>(), stream);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Min(void* storage, std::size_t& bytes, In in, Out out, std::ptrdiff_t segments, Begin begin, End end,
                         cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, segments, begin, end, cub::Min(), detail::highest<detail::value_of<In>>(), stream);
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Max(void* storage, std::size_t& bytes, In in, Out out, std::ptrdiff_t segments, Begin begin, End end,
                         cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, segments, begin, end, cub::Max(), detail::lowest<detail::value_of<In>>(), stream);
  }
#define HIRACE_CUB_EXTREMUM(name, less, empty)                                                                                    \
  template <class In, class Out, class Begin, class End>                                                                          \
  static cudaError_t name(void* storage, std::size_t& bytes, In in, Out out, std::ptrdiff_t segments, Begin begin, End end,       \
                          cudaStream_t stream = 0) {                                                                              \
    using Value = detail::value_of<In>;                                                                                           \
    return detail::two_phases("cub::DeviceSegmentedReduce", storage, bytes, stream, detail::reaches(out, segments), [=] {         \
      for (std::ptrdiff_t i = 0; i < segments; ++i) {                                                                             \
        detail::extremum_to(detail::used(in), detail::used(out) + i, detail::at(begin, i), detail::at(end, i), less,              \
                            detail::empty<Value>());                                                                              \
      }                                                                                                                           \
    });                                                                                                                           \
  }
  HIRACE_CUB_EXTREMUM(ArgMin, thrust::less<>(), highest)
  HIRACE_CUB_EXTREMUM(ArgMax, thrust::greater<>(), lowest)
#undef HIRACE_CUB_EXTREMUM
};

}  // namespace cub
