// cuda::annotated_ptr and the access properties of libcu++. They are hints for caches: accesses are those
// of the plain pointer.
#pragma once

#include <cstddef>

namespace cuda {

class access_property {
 public:
  struct shared {};
  struct global {};
  struct normal {};
  struct streaming {};
  struct persisting {};

  access_property() = default;
  constexpr access_property(global) {}
  constexpr access_property(normal) {}
  constexpr access_property(streaming) {}
  constexpr access_property(persisting) {}
  template <class Primary>
  constexpr access_property(Primary, float) {}
  template <class Primary, class Secondary>
  constexpr access_property(Primary, float, Secondary) {}
  template <class Primary>
  constexpr access_property(void*, ::std::size_t, ::std::size_t, Primary) {}
  template <class Primary, class Secondary>
  constexpr access_property(void*, ::std::size_t, ::std::size_t, Primary, Secondary) {}
};

template <class T, class Property>
T* associate_access_property(T* pointer, Property) {
  return pointer;
}
template <class Shape, class Property>
void apply_access_property(const volatile void*, const Shape&, Property) {}
// Lets caches drop the memory's content.
inline void discard_memory(volatile void*, ::std::size_t) {}

template <class T, class Property>
class annotated_ptr {
 public:
  using value_type = T;
  using size_type = ::std::size_t;
  using reference = T&;
  using pointer = T*;
  using const_pointer = const T*;
  using difference_type = ::std::ptrdiff_t;

  constexpr annotated_ptr() = default;
  constexpr explicit annotated_ptr(T* pointer) : pointer_(pointer) {}
  template <class Given>
  constexpr annotated_ptr(T* pointer, Given) : pointer_(pointer) {}
  template <class Other, class OtherProperty>
  constexpr annotated_ptr(const annotated_ptr<Other, OtherProperty>& other) : pointer_(other.get()) {}

  constexpr T& operator*() const { return *pointer_; }
  constexpr T* operator->() const { return pointer_; }
  constexpr T& operator[](::std::ptrdiff_t i) const { return pointer_[i]; }
  constexpr ::std::ptrdiff_t operator-(const annotated_ptr& other) const { return pointer_ - other.pointer_; }
  constexpr explicit operator bool() const { return pointer_ != nullptr; }
  constexpr T* get() const { return pointer_; }

 private:
  T* pointer_ = nullptr;
};

}  // namespace cuda
