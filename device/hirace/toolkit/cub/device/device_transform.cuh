// cub::DeviceTransform and DeviceAdjacentDifference.
#pragma once

#include "device_call.cuh"

namespace cub {

struct DeviceTransform {
  template <class... In, class Out, class Count, class Op>
  static cudaError_t Transform(std::tuple<In...> inputs, Out out, Count count, Op op, cudaStream_t stream = 0) {
    const bool inputs_reach = std::apply([=](auto... in) { return (detail::reaches(in, count) && ...); }, inputs);
    const bool in_range = inputs_reach && detail::reaches(out, count);
    return detail::work_in_stream("cub::DeviceTransform", stream, in_range, [=] {
      for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(count); ++i) {
        detail::used(out)[i] = std::apply([=](const auto&... in) { return op(detail::at(in, i)...); }, inputs);
      }
    });
  }
  template <class In, class Out, class Count, class Op>
  static cudaError_t Transform(In input, Out out, Count count, Op op, cudaStream_t stream = 0) {
    return Transform(std::make_tuple(input), out, count, op, stream);
  }
};

struct DeviceAdjacentDifference {
  template <class In, class Out, class Count, class Op = thrust::minus<>>
  static cudaError_t SubtractLeftCopy(void* storage, std::size_t& bytes, In in, Out out, Count count, Op op = Op(),
                                      cudaStream_t stream = 0) {
    const bool in_range = detail::reaches(in, count) && detail::reaches(out, count);
    return detail::two_phases("cub::DeviceAdjacentDifference", storage, bytes, stream, in_range, [=] {
      for (std::ptrdiff_t i = static_cast<std::ptrdiff_t>(count) - 1; i > 0; --i) detail::used(out)[i] = op(detail::at(in, i), detail::at(in, i - 1));
      if (count > 0) detail::used(out)[0] = detail::at(in, 0);
    });
  }
  template <class In, class Count, class Op = thrust::minus<>>
  static cudaError_t SubtractLeft(void* storage, std::size_t& bytes, In data, Count count, Op op = Op(), cudaStream_t stream = 0) {
    return SubtractLeftCopy(storage, bytes, data, data, count, op, stream);
  }
  template <class In, class Out, class Count, class Op = thrust::minus<>>
  static cudaError_t SubtractRightCopy(void* storage, std::size_t& bytes, In in, Out out, Count count, Op op = Op(),
                                       cudaStream_t stream = 0) {
    const bool in_range = detail::reaches(in, count) && detail::reaches(out, count);
    return detail::two_phases("cub::DeviceAdjacentDifference", storage, bytes, stream, in_range, [=] {
      const auto last = static_cast<std::ptrdiff_t>(count) - 1;
      for (std::ptrdiff_t i = 0; i < last; ++i) detail::used(out)[i] = op(detail::at(in, i), detail::at(in, i + 1));
      if (last >= 0) detail::used(out)[last] = detail::at(in, last);
    });
  }
  template <class In, class Count, class Op = thrust::minus<>>
  static cudaError_t SubtractRight(void* storage, std::size_t& bytes, In data, Count count, Op op = Op(), cudaStream_t stream = 0) {
    return SubtractRightCopy(storage, bytes, data, data, count, op, stream);
  }
};

}  // namespace cub
