// Common parts of CUB's device-wide functions: the call that returns the storage size, and the
// call that does the work, in the order of its stream.
#pragma once

#include "../../../libraries/library_access.h"
#include "../../thrust/iterator/iterator_adaptors.h"
#include "../../thrust/detail/dispatch.h"
#include "../thread/thread_operators.cuh"

namespace cub::detail {

using thrust::detail::at;
using thrust::detail::value_of;

template <class Iterator>
using if_number = std::enable_if_t<std::is_integral_v<Iterator>>*;

// Whether `count` elements are in device memory, as far as the pointer shows.
template <class T, class Count>
bool reaches(T* pointer, Count count) {
  if constexpr (std::is_object_v<T>) {
    return count <= 0 || hirace::cpu::is_device_range(pointer, static_cast<std::size_t>(count) * sizeof(T));
  } else {
    return true;
  }
}
template <class Iterator, class Count>
bool reaches(const Iterator&, Count) {
  return true;
}

// The value type of an output; the input's if the output accepts any type.
template <class Out, class Value>
using stored_as = std::conditional_t<std::is_same_v<value_of<Out>, thrust::discarded>, Value, value_of<Out>>;

// An array that the library accesses, as the bodies of functions get it.
template <class Iterator>
auto used(const Iterator& iterator) {
  if constexpr (thrust::detail::is_checkable<Iterator>) {
    return thrust::detail::checked_pointer<std::remove_pointer_t<Iterator>>(iterator, hirace::unknown_site);
  } else {
    thrust::detail::note_unseen_writes<Iterator>();
    return iterator;
  }
}

// `in_range`: all arrays are as long as they have to be.
template <class Work>
cudaError_t work_in_stream(const char* name, cudaStream_t stream, bool in_range, const Work& work) {
  if (!in_range) {
    std::fprintf(stderr, "hirace: %s: an array is too short, or not in device memory\n", name);
    return hirace::cpu::set_error(cudaErrorIllegalAddress);
  }
  const hirace::cpu::Call call = hirace::cpu::call_of(name);
  return hirace::cpu::submit_to_stream(stream, [work, call, stream] {
    const hirace::cpu::LibraryAccess access;
    const hirace::cpu::LibraryCall running(call, stream, hirace::cpu::LibraryWaits::for_nothing);
    Work own = work;  // it may be repeated from the start
    own();
    return cudaSuccess;
  });
}

// The storage is not used, so any size would do; programs allocate the size that is returned. It counts as
// written: two functions at the same time need storage of their own.
template <class Work>
cudaError_t two_phases(const char* name, void* storage, std::size_t& bytes, cudaStream_t stream, bool in_range, const Work& work) {
  constexpr std::size_t wanted = 256;
  if (storage == nullptr) {
    bytes = wanted;
    return cudaSuccess;
  }
  if (bytes < wanted) return hirace::cpu::set_error(cudaErrorInvalidValue);
  return work_in_stream(name, stream, in_range, [work = work, storage]() mutable {
    hirace::cpu::library_writes(storage, wanted);
    work();
  });
}

}  // namespace cub::detail
