// A checked array for code that is instrumented by hand.
//
//   __global__ void scale(float* data, int n) {
//     hirace::array<float> a(data);
//     a[i] = 2 * a[i];                 // one checked read, one checked write
//     atomicAdd(&a[0], 1.0f);          // found by argument-dependent lookup
//   }
//
// Elements are proxies: reads, writes and updates of one are checked as by the
// hooks of access.h. In instrumented source, the hooks pass their site numbers to
// the proxies, and each access is checked once.
#pragma once

#include <cstddef>

#include "access.h"
#include "atomic.h"

namespace hirace {

// The address of an element, for atomics.
template <class T>
struct element_address {
  T* pointer;
};

template <class T>
class element {
 public:
  HIRACE_HOOK explicit element(T* pointer, SiteId site = unknown_site) : pointer_(pointer), site_(site) {}

  HIRACE_HOOK operator T() const { return hirace::read(site_, *pointer_); }
  HIRACE_HOOK T operator=(T value) const { return hirace::write(site_, *pointer_) = value; }
  HIRACE_HOOK T operator=(const element& other) const { return *this = static_cast<T>(other); }
  element(const element&) = default;

  template <class Value>
  HIRACE_HOOK T operator+=(const Value& value) const { return hirace::update(site_, *pointer_) += value; }
  template <class Value>
  HIRACE_HOOK T operator-=(const Value& value) const { return hirace::update(site_, *pointer_) -= value; }
  template <class Value>
  HIRACE_HOOK T operator*=(const Value& value) const { return hirace::update(site_, *pointer_) *= value; }
  template <class Value>
  HIRACE_HOOK T operator/=(const Value& value) const { return hirace::update(site_, *pointer_) /= value; }
  template <class Value>
  HIRACE_HOOK T operator&=(const Value& value) const { return hirace::update(site_, *pointer_) &= value; }
  template <class Value>
  HIRACE_HOOK T operator|=(const Value& value) const { return hirace::update(site_, *pointer_) |= value; }
  template <class Value>
  HIRACE_HOOK T operator^=(const Value& value) const { return hirace::update(site_, *pointer_) ^= value; }
  HIRACE_HOOK T operator++() const { return ++hirace::update(site_, *pointer_); }
  HIRACE_HOOK T operator--() const { return --hirace::update(site_, *pointer_); }
  HIRACE_HOOK T operator++(int) const { return hirace::update(site_, *pointer_)++; }
  HIRACE_HOOK T operator--(int) const { return hirace::update(site_, *pointer_)--; }

  HIRACE_HOOK element_address<T> operator&() const { return {pointer_}; }

  // The same element, with the site that the instrumenter assigned.
  HIRACE_HOOK element at_site(SiteId site) const { return element(pointer_, site); }

 private:
  T* pointer_;
  SiteId site_;
};

template <class T>
class array {
 public:
  HIRACE_HOOK explicit array(T* data) : data_(data) {}

  template <class Index>
  HIRACE_HOOK element<T> operator[](Index index) const { return element<T>(data_ + index); }
  HIRACE_HOOK element<T> operator*() const { return element<T>(data_); }
  HIRACE_HOOK array operator+(std::ptrdiff_t offset) const { return array(data_ + offset); }
  HIRACE_HOOK array operator-(std::ptrdiff_t offset) const { return array(data_ - offset); }

  // The raw pointer; accesses through it are not checked.
  HIRACE_HOOK T* data() const { return data_; }

 private:
  T* data_;
};

template <class T>
HIRACE_HOOK element<T> read(SiteId site, element<T>&& e) { return e.at_site(site); }
template <class T>
HIRACE_HOOK element<T> write(SiteId site, element<T>&& e) { return e.at_site(site); }
template <class T>
HIRACE_HOOK element<T> update(SiteId site, element<T>&& e) { return e.at_site(site); }

#define HIRACE_ELEMENT_ATOMIC(name)                                                                    \
  template <class T, class... Operands>                                                                \
  HIRACE_DEVICE_HOOK auto name(element_address<T> address, Operands... operands) {                     \
    return name(unknown_site, address.pointer, operands...);                                           \
  }                                                                                                    \
  template <class T, class... Operands>                                                                \
  HIRACE_DEVICE_HOOK auto name(SiteId site, element_address<T> address, Operands... operands) {        \
    return name(site, address.pointer, operands...);                                                   \
  }

HIRACE_ELEMENT_ATOMIC(atomicAdd)
HIRACE_ELEMENT_ATOMIC(atomicSub)
HIRACE_ELEMENT_ATOMIC(atomicExch)
HIRACE_ELEMENT_ATOMIC(atomicMin)
HIRACE_ELEMENT_ATOMIC(atomicMax)
HIRACE_ELEMENT_ATOMIC(atomicInc)
HIRACE_ELEMENT_ATOMIC(atomicDec)
HIRACE_ELEMENT_ATOMIC(atomicCAS)
HIRACE_ELEMENT_ATOMIC(atomicAnd)
HIRACE_ELEMENT_ATOMIC(atomicOr)
HIRACE_ELEMENT_ATOMIC(atomicXor)

#undef HIRACE_ELEMENT_ATOMIC

}  // namespace hirace
