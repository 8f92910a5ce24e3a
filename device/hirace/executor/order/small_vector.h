// A vector whose first elements are in the object itself: most locations have few accesses to remember,
// and each piece of memory of their own would cost a cache miss.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace hirace::cpu::order {

template <class Element, std::uint32_t inside>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<Element>);

 public:
  SmallVector() = default;
  ~SmallVector() { release(); }
  SmallVector(const SmallVector& other) {
    for (const Element& element : other) push_back(element);
  }
  SmallVector& operator=(const SmallVector&) = delete;

  Element* begin() { return outside_ != nullptr ? outside_ : reinterpret_cast<Element*>(bytes_); }
  Element* end() { return begin() + size_; }
  const Element* begin() const { return outside_ != nullptr ? outside_ : reinterpret_cast<const Element*>(bytes_); }
  const Element* end() const { return begin() + size_; }
  Element& operator[](std::size_t at) { return begin()[at]; }
  const Element& operator[](std::size_t at) const { return begin()[at]; }
  Element& back() { return end()[-1]; }
  const Element& back() const { return end()[-1]; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  void push_back(const Element& element) {
    if (size_ < capacity_) {
      begin()[size_++] = element;
      return;
    }
    const Element copy = element;  // may be one of ours
    grow();
    begin()[size_++] = copy;
  }

  // Removes elements, visited in their order, that satisfy a condition.
  template <class Condition>
  void remove_if(const Condition& condition) {
    Element* const first = begin();
    std::uint32_t kept = 0;
    for (std::uint32_t at = 0; at < size_; ++at) {
      if (!condition(first[at])) first[kept++] = first[at];
    }
    size_ = kept;
  }

  // The last element that satisfies a condition, or null.
  template <class Condition>
  const Element* find_last(const Condition& condition) const {
    const Element* const first = begin();
    for (std::uint32_t at = size_; at > 0; --at) {
      if (condition(first[at - 1])) return &first[at - 1];
    }
    return nullptr;
  }

  void clear() {
    release();
    size_ = 0;
    capacity_ = inside;
  }

 private:
  void grow() {
    capacity_ *= 2;
    auto* const larger = static_cast<Element*>(std::malloc(capacity_ * sizeof(Element)));
    if (larger == nullptr) std::abort();
    std::memcpy(static_cast<void*>(larger), begin(), size_ * sizeof(Element));
    std::free(outside_);
    outside_ = larger;
  }
  void release() {
    std::free(outside_);
    outside_ = nullptr;
  }

  std::uint32_t size_ = 0, capacity_ = inside;
  Element* outside_ = nullptr;
  alignas(Element) unsigned char bytes_[inside * sizeof(Element)];
};

}  // namespace hirace::cpu::order
