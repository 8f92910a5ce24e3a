// <cuda/std/span>: the C++20 header, for C++17 as well.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <type_traits>

#include "cuda_std.h"

#if __cplusplus >= 202002L
#include <span>
#else
namespace cuda {
namespace std {

constexpr ::std::size_t dynamic_extent = static_cast<::std::size_t>(-1);

// Static extents are part of the type; the size is stored in any case.
template <class T, ::std::size_t Extent = dynamic_extent>
class span {
 public:
  using element_type = T;
  using value_type = remove_cv_t<T>;
  using size_type = ::std::size_t;
  using difference_type = ::std::ptrdiff_t;
  using pointer = T*;
  using reference = T&;
  using iterator = T*;
  static constexpr size_type extent = Extent;

  constexpr span() = default;
  constexpr span(T* first, size_type count) : data_(first), size_(count) {}
  constexpr span(T* first, T* last) : data_(first), size_(static_cast<size_type>(last - first)) {}
  template <size_type count>
  constexpr span(T (&array)[count]) : data_(array), size_(count) {}
  // Anything with data() and size().
  template <class Range, class = decltype(static_cast<T*>(::std::data(::std::declval<Range&>())))>
  constexpr span(Range&& range) : data_(::std::data(range)), size_(::std::size(range)) {}

  constexpr T* data() const { return data_; }
  constexpr size_type size() const { return size_; }
  constexpr size_type size_bytes() const { return size_ * sizeof(T); }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](size_type index) const { return data_[index]; }
  constexpr T& front() const { return data_[0]; }
  constexpr T& back() const { return data_[size_ - 1]; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size_; }

  constexpr span<T> first(size_type count) const { return {data_, count}; }
  constexpr span<T> last(size_type count) const { return {data_ + (size_ - count), count}; }
  constexpr span<T> subspan(size_type offset, size_type count = dynamic_extent) const {
    return {data_ + offset, count == dynamic_extent ? size_ - offset : count};
  }
  template <size_type count>
  constexpr span<T, count> first() const {
    return {data_, count};
  }
  template <size_type count>
  constexpr span<T, count> last() const {
    return {data_ + (size_ - count), count};
  }

 private:
  T* data_ = nullptr;
  size_type size_ = Extent == dynamic_extent ? 0 : Extent;
};

template <class T, ::std::size_t count>
span(T (&)[count]) -> span<T, count>;
template <class T>
span(T*, ::std::size_t) -> span<T>;

}  // namespace std
}  // namespace cuda
#endif
