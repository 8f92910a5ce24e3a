// CUB's iterators: thrust's under CUB's names, and some of its own.
#pragma once

#include "../../thrust/iterator/iterator_adaptors.h"
#include "../thread/thread_load.cuh"
#include "../thread/thread_store.cuh"
#include "../util_type.cuh"

namespace cub {

template <class Value, class Offset = std::ptrdiff_t>
using CountingInputIterator = thrust::counting_iterator<Value>;
template <class Value, class Offset = std::ptrdiff_t>
using ConstantInputIterator = thrust::constant_iterator<Value>;
template <class Offset = std::ptrdiff_t>
using DiscardOutputIterator = thrust::discard_iterator<>;

template <class Value, class Conversion, class In, class Offset = std::ptrdiff_t>
class TransformInputIterator
    : public thrust::detail::iterator_base<TransformInputIterator<Value, Conversion, In, Offset>, std::remove_cv_t<Value>, Value> {
 public:
  TransformInputIterator(In base, Conversion conversion) : base_(base), conversion_(conversion) {}
  Value dereference() const { return conversion_(thrust::raw_reference_cast(*base_)); }
  void advance(std::ptrdiff_t n) { base_ += n; }
  std::ptrdiff_t distance_to(const TransformInputIterator& other) const { return other.base_ - base_; }

 private:
  In base_;
  mutable Conversion conversion_;
};

// Pairs of the position and the value.
template <class In, class Offset = std::ptrdiff_t, class Value = thrust::detail::value_of<In>>
class ArgIndexInputIterator : public thrust::detail::iterator_base<ArgIndexInputIterator<In, Offset, Value>, KeyValuePair<Offset, Value>,
                                                                   KeyValuePair<Offset, Value>> {
 public:
  ArgIndexInputIterator(In base, std::ptrdiff_t offset = 0) : base_(base), offset_(offset) {}
  KeyValuePair<Offset, Value> dereference() const {
    return {static_cast<Offset>(offset_), static_cast<Value>(thrust::raw_reference_cast(base_[offset_]))};
  }
  void advance(std::ptrdiff_t n) { offset_ += n; }
  std::ptrdiff_t distance_to(const ArgIndexInputIterator& other) const { return other.offset_ - offset_; }
  void normalize() {
    base_ += offset_;
    offset_ = 0;
  }

 private:
  In base_;
  std::ptrdiff_t offset_;
};

// A plain pointer; its accesses are checked in kernels.
template <CacheLoadModifier modifier, class Value, class Offset = std::ptrdiff_t>
class CacheModifiedInputIterator
    : public thrust::detail::iterator_base<CacheModifiedInputIterator<modifier, Value, Offset>, std::remove_cv_t<Value>, Value> {
 public:
  explicit CacheModifiedInputIterator(const Value* pointer) : pointer_(pointer) {}
  Value dereference() const { return ThreadLoad<modifier>(pointer_); }
  void advance(std::ptrdiff_t n) { pointer_ += n; }
  std::ptrdiff_t distance_to(const CacheModifiedInputIterator& other) const { return other.pointer_ - pointer_; }

 private:
  const Value* pointer_;
};

}  // namespace cub
