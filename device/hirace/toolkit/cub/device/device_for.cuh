// cub::DeviceFor, with and without temporary storage.
#pragma once

#include "device_call.cuh"

namespace cub {

struct DeviceFor {
  template <class Count, class Op, detail::if_number<Count> = nullptr>
  static cudaError_t Bulk(Count count, Op op, cudaStream_t stream = 0) {
    return detail::work_in_stream("cub::DeviceFor", stream, true, [=]() mutable {
      for (Count i = 0; i < count; ++i) op(i);
    });
  }
  template <class In, class Count, class Op, detail::if_number<Count> = nullptr>
  static cudaError_t ForEachN(In first, Count count, Op op, cudaStream_t stream = 0) {
    return detail::work_in_stream("cub::DeviceFor", stream, detail::reaches(first, count), [=]() mutable {
      for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(count); ++i) op(detail::at(first, i));
    });
  }
  template <class In, class Op>
  static cudaError_t ForEach(In first, In last, Op op, cudaStream_t stream = 0) {
    return ForEachN(first, last - first, op, stream);
  }
  template <class In, class Count, class Op, detail::if_number<Count> = nullptr>
  static cudaError_t ForEachCopyN(In first, Count count, Op op, cudaStream_t stream = 0) {
    return ForEachN(first, count, op, stream);
  }
  template <class In, class Op>
  static cudaError_t ForEachCopy(In first, In last, Op op, cudaStream_t stream = 0) {
    return ForEachN(first, last - first, op, stream);
  }

#define HIRACE_CUB_WITH_STORAGE(name)                                                                     \
  template <class First, class Second, class Op>                                                          \
  static cudaError_t name(void* storage, std::size_t& bytes, First first, Second second, Op op,           \
                          cudaStream_t stream = 0) {                                                      \
    if (storage == nullptr) return detail::two_phases(#name, storage, bytes, stream, true, [] {});        \
    return name(first, second, op, stream);                                                               \
  }
  HIRACE_CUB_WITH_STORAGE(ForEachN)
  HIRACE_CUB_WITH_STORAGE(ForEach)
  HIRACE_CUB_WITH_STORAGE(ForEachCopyN)
  HIRACE_CUB_WITH_STORAGE(ForEachCopy)
#undef HIRACE_CUB_WITH_STORAGE
  template <class Count, class Op, detail::if_number<Count> = nullptr>
  static cudaError_t Bulk(void* storage, std::size_t& bytes, Count count, Op op, cudaStream_t stream = 0) {
    if (storage == nullptr) return detail::two_phases("Bulk", storage, bytes, stream, true, [] {});
    return Bulk(count, op, stream);
  }
};

}  // namespace cub
