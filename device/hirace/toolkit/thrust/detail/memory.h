// Pointers and references to device memory, and allocation.
//
// The host may dereference a device pointer: it then reads or writes a copy of the element, as
// thrust's references do. Kernels get raw pointers and are checked.
#pragma once

#include <memory>
#include <new>

#include "../system_error.h"
#include "config.h"

namespace thrust {

template <class T>
class device_ptr;

namespace detail {

// Whether an iterator leads to device memory: a device pointer, or an adaptor of one.
template <class T>
constexpr bool is_on_device = false;
template <class T>
constexpr bool is_on_device<device_ptr<T>> = true;
template <template <class...> class Adaptor, class... Parts>
constexpr bool is_on_device<Adaptor<Parts...>> = (is_on_device<std::decay_t<Parts>> || ...);

// The host copies an element from or to device memory, on the default stream, and waits for it.
struct ElementCopy : hirace::cpu::LibraryCall {
  ElementCopy()
      : LibraryCall({"thrust::device_reference", hirace::unknown_site}, nullptr, hirace::cpu::LibraryWaits::for_stream) {}
};

}  // namespace detail

template <class T>
class device_reference {
 public:
  using value_type = std::remove_cv_t<T>;
  using pointer = device_ptr<T>;
  explicit device_reference(T* place) : place_(place) {}
  device_reference(const device_reference&) = default;
  template <class Other, class = std::enable_if_t<std::is_convertible_v<Other*, T*>>>
  device_reference(const device_reference<Other>& other) : place_(other.place()) {}

  operator value_type() const {
    const hirace::cpu::LibraryAccess access;
    const detail::ElementCopy copy;
    hirace::cpu::library_reads(place_, sizeof(T));
    return *place_;
  }
  const device_reference& operator=(const value_type& value) const {
    const hirace::cpu::LibraryAccess access;
    const detail::ElementCopy copy;
    hirace::cpu::library_writes(place_, sizeof(T));
    *place_ = value;
    return *this;
  }
  const device_reference& operator=(const device_reference& other) const { return *this = static_cast<value_type>(other); }
  template <class Other>
  const device_reference& operator=(const device_reference<Other>& other) const {
    return *this = static_cast<value_type>(static_cast<typename device_reference<Other>::value_type>(other));
  }
  device_ptr<T> operator&() const;
  T* place() const { return place_; }

#define HIRACE_THRUST_UPDATE(symbol)                                                    \
  template <class Value>                                                                \
  const device_reference& operator symbol##=(const Value& value) const {                \
    return *this = static_cast<value_type>(static_cast<value_type>(*this) symbol value); \
  }
  HIRACE_THRUST_UPDATE(+)
  HIRACE_THRUST_UPDATE(-)
  HIRACE_THRUST_UPDATE(*)
  HIRACE_THRUST_UPDATE(/)
  HIRACE_THRUST_UPDATE(%)
  HIRACE_THRUST_UPDATE(&)
  HIRACE_THRUST_UPDATE(|)
  HIRACE_THRUST_UPDATE(^)
  HIRACE_THRUST_UPDATE(<<)
  HIRACE_THRUST_UPDATE(>>)
#undef HIRACE_THRUST_UPDATE
  const device_reference& operator++() const { return *this += 1; }
  const device_reference& operator--() const { return *this -= 1; }
  value_type operator++(int) const {
    const value_type old = *this;
    *this += 1;
    return old;
  }
  value_type operator--(int) const {
    const value_type old = *this;
    *this -= 1;
    return old;
  }
  friend void swap(device_reference a, device_reference b) {
    const value_type old = a;
    a = static_cast<value_type>(b);
    b = old;
  }
  template <class Stream>
  friend auto operator<<(Stream& stream, const device_reference& reference) -> decltype(stream << std::declval<value_type>()) {
    return stream << static_cast<value_type>(reference);
  }

 private:
  T* place_;
};

template <class T>
class device_ptr : public detail::iterator_base<device_ptr<T>, std::remove_cv_t<T>, device_reference<T>, device_ptr<T>> {
 public:
  using element_type = T;
  using raw_pointer = T*;
  device_ptr() = default;
  device_ptr(std::nullptr_t) {}
  explicit device_ptr(T* raw) : raw_(raw) {}
  template <class Other, class = std::enable_if_t<std::is_convertible_v<Other*, T*>>>
  device_ptr(const device_ptr<Other>& other) : raw_(other.get()) {}

  T* get() const { return raw_; }
  explicit operator bool() const { return raw_ != nullptr; }
  T* operator->() const { return raw_; }
  device_reference<T> dereference() const { return device_reference<T>(raw_); }
  void advance(std::ptrdiff_t n) { raw_ += n; }
  std::ptrdiff_t distance_to(const device_ptr& other) const { return other.raw_ - raw_; }
  friend bool operator==(const device_ptr& a, std::nullptr_t) { return a.raw_ == nullptr; }
  friend bool operator!=(const device_ptr& a, std::nullptr_t) { return a.raw_ != nullptr; }

 private:
  T* raw_ = nullptr;
};

template <>
class device_ptr<void> {
 public:
  device_ptr() = default;
  device_ptr(std::nullptr_t) {}
  explicit device_ptr(void* raw) : raw_(raw) {}
  template <class T>
  device_ptr(const device_ptr<T>& other) : raw_(const_cast<void*>(static_cast<const void*>(other.get()))) {}
  template <class T>
  explicit operator device_ptr<T>() const {
    return device_ptr<T>(static_cast<T*>(raw_));
  }
  void* get() const { return raw_; }

 private:
  void* raw_ = nullptr;
};

template <class T>
device_ptr<T> device_reference<T>::operator&() const {
  return device_ptr<T>(place_);
}

template <class T>
device_ptr<T> device_pointer_cast(T* raw) {
  return device_ptr<T>(raw);
}
template <class T>
device_ptr<T> device_pointer_cast(const device_ptr<T>& pointer) {
  return pointer;
}
template <class T>
T* raw_pointer_cast(T* pointer) {
  return pointer;
}
template <class T>
auto raw_pointer_cast(const device_ptr<T>& pointer) {
  return pointer.get();
}

namespace detail {

// The element is about to be read.
template <class Reference>
struct raw {
  static Reference of(Reference reference) {
    if constexpr (std::is_lvalue_reference_v<Reference>) hirace::cpu::library_reads(std::addressof(reference), sizeof reference);
    return static_cast<Reference>(reference);
  }
};
template <class T>
struct raw<device_reference<T>> {
  static T& of(const device_reference<T>& reference) {
    hirace::cpu::library_reads(reference.place(), sizeof(T));
    return *reference.place();
  }
};
template <class T>
struct raw<device_reference<T>&> : raw<device_reference<T>> {};
template <class T>
struct raw<const device_reference<T>&> : raw<device_reference<T>> {};
template <class... References>
struct raw<std::tuple<References...>> {
  static auto of(const std::tuple<References...>& references) {
    return std::apply(
        [](auto&&... each) {
          return std::tuple<decltype(raw<References>::of(static_cast<References>(each)))...>(
              raw<References>::of(static_cast<References>(each))...);
        },
        references);
  }
};
template <class... References>
struct raw<std::tuple<References...>&> : raw<std::tuple<References...>> {};

}  // namespace detail

// The type that a reference to device memory refers to, also in tuples.
template <class Reference>
decltype(auto) raw_reference_cast(Reference&& reference) {
  return detail::raw<std::conditional_t<std::is_lvalue_reference_v<Reference>, Reference, std::remove_cv_t<Reference>>>::of(
      static_cast<Reference&&>(reference));
}

inline device_ptr<void> device_malloc(std::size_t bytes) {
  void* memory = nullptr;
  if (cudaMalloc(&memory, bytes) != cudaSuccess) throw std::bad_alloc();
  return device_ptr<void>(memory);
}
template <class T>
device_ptr<T> device_malloc(std::size_t count) {
  return static_cast<device_ptr<T>>(device_malloc(count * sizeof(T)));
}
inline void device_free(device_ptr<void> pointer) { cudaFree(pointer.get()); }

// Represents the allocators that vectors are declared with.
template <class T>
struct device_allocator {
  using value_type = T;
};
template <class T>
using device_malloc_allocator = device_allocator<T>;
template <class T>
struct universal_allocator {
  using value_type = T;
};

}  // namespace thrust
