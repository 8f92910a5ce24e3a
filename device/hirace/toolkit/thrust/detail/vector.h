// host_vector, device_vector and universal_vector: one class, three kinds of memory.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <vector>

#include "memory.h"

namespace thrust {

namespace detail {

// The memory of a vector's elements, determined from its allocator.
template <class Allocator>
struct memory_of {
  static_assert(sizeof(Allocator) == 0,
                "hirace: the CPU executor does not support thrust vectors with a custom allocator; omit the allocator");
};
template <class T>
struct memory_of<std::allocator<T>> {
  static constexpr bool on_device = false;
  using pointer = T*;
  static T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T))); }
  static void release(T* memory) { ::operator delete(memory); }
};
template <class T>
struct memory_of<device_allocator<T>> {
  static constexpr bool on_device = true;
  using pointer = device_ptr<T>;
  static T* allocate(std::size_t count) { return device_malloc<T>(count).get(); }
  static void release(T* memory) { cudaFree(memory); }
};
template <class T>
struct memory_of<universal_allocator<T>> {
  static constexpr bool on_device = true;
  using pointer = T*;
  static T* allocate(std::size_t count) {
    T* memory = nullptr;
    if (cudaMallocManaged(&memory, count * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return memory;
  }
  static void release(T* memory) { cudaFree(memory); }
};

// Work of the default stream on elements of vectors, if some are in device memory; the host waits for it.
template <bool on_device>
class VectorWork {
 public:
  VectorWork() {
    if constexpr (on_device) call_.emplace();
  }
  template <class T>
  void reads(const T* elements, std::size_t count) const {
    if constexpr (on_device) hirace::cpu::library_reads(elements, count * sizeof(T));
  }
  template <class T>
  void writes(const T* elements, std::size_t count) const {
    if constexpr (on_device) hirace::cpu::library_writes(elements, count * sizeof(T));
  }

 private:
  struct Call : hirace::cpu::LibraryCall {
    Call() : LibraryCall({"thrust::device_vector", hirace::unknown_site}, nullptr, hirace::cpu::LibraryWaits::for_stream) {}
  };
  const hirace::cpu::LibraryAccess access_;
  std::optional<Call> call_;
};

template <class Pointer>
struct memory_const;
template <class T>
struct memory_const<T*> {
  using type = const T*;
};
template <class T>
struct memory_const<device_ptr<T>> {
  using type = device_ptr<const T>;
};

template <class T, class Allocator>
class basic_vector {
  using Memory = memory_of<Allocator>;
  // A std::vector of bool has no addressable elements.
  struct Kept {
    T value;
    Kept(const T& kept) : value(kept) {}
    operator const T&() const { return value; }
  };
  template <class Iterator>
  using if_iterator = typename std::iterator_traits<Iterator>::iterator_category*;

 public:
  using value_type = T;
  using allocator_type = Allocator;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = typename Memory::pointer;
  using const_pointer = typename memory_const<pointer>::type;
  using iterator = pointer;
  using const_iterator = const_pointer;
  using reference = typename std::iterator_traits<pointer>::reference;
  using const_reference = typename std::iterator_traits<const_pointer>::reference;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;

  basic_vector() = default;
  explicit basic_vector(size_type count) { resize(count); }
  basic_vector(size_type count, const T& value) { resize(count, value); }
  template <class Iterator, if_iterator<Iterator> = nullptr>
  basic_vector(Iterator first, Iterator last) {
    assign(first, last);
  }
  basic_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  basic_vector(const basic_vector& other) { assign(other.begin(), other.end()); }
  basic_vector(basic_vector&& other) noexcept { swap(other); }
  template <class OtherT, class Other>
  basic_vector(const basic_vector<OtherT, Other>& other) {
    assign(other.begin(), other.end());
  }
  template <class OtherT, class Other>
  basic_vector(const std::vector<OtherT, Other>& other) {
    assign(other.begin(), other.end());
  }
  ~basic_vector() {
    clear();
    if (data_ != nullptr) Memory::release(data_);
  }
  basic_vector& operator=(const basic_vector& other) {
    if (&other != this) assign(other.begin(), other.end());
    return *this;
  }
  basic_vector& operator=(basic_vector&& other) noexcept {
    swap(other);
    return *this;
  }
  template <class OtherT, class Other>
  basic_vector& operator=(const basic_vector<OtherT, Other>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  template <class OtherT, class Other>
  basic_vector& operator=(const std::vector<OtherT, Other>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  basic_vector& operator=(std::initializer_list<T> values) {
    assign(values.begin(), values.end());
    return *this;
  }

  iterator begin() { return iterator(data_); }
  iterator end() { return iterator(data_ + size_); }
  const_iterator begin() const { return const_iterator(data_); }
  const_iterator end() const { return const_iterator(data_ + size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
  pointer data() { return pointer(data_); }
  const_pointer data() const { return const_pointer(data_); }
  reference operator[](size_type i) { return *(begin() + static_cast<std::ptrdiff_t>(i)); }
  const_reference operator[](size_type i) const { return *(begin() + static_cast<std::ptrdiff_t>(i)); }
  reference front() { return *begin(); }
  const_reference front() const { return *begin(); }
  reference back() { return (*this)[size_ - 1]; }
  const_reference back() const { return (*this)[size_ - 1]; }

  size_type size() const { return size_; }
  size_type capacity() const { return capacity_; }
  size_type max_size() const { return static_cast<size_type>(-1) / sizeof(T); }
  bool empty() const { return size_ == 0; }
  void clear() { shrink_to(0); }
  void shrink_to_fit() { move_to(size_); }
  void reserve(size_type count) {
    if (count > capacity_) move_to(count);
  }
  void resize(size_type count, const T& value = T()) {
    if (count < size_) return shrink_to(count);
    grow_to(count);
    const VectorWork<Memory::on_device> work;
    work.writes(data_ + size_, count - size_);
    for (; size_ < count; ++size_) new (data_ + size_) T(value);
  }
  void push_back(const T& value) { resize(size_ + 1, value); }
  template <class... Arguments>
  void emplace_back(Arguments&&... arguments) {
    push_back(T(std::forward<Arguments>(arguments)...));
  }
  void pop_back() { shrink_to(size_ - 1); }

  void assign(size_type count, const T& value) {
    clear();
    resize(count, value);
  }
  template <class Iterator, if_iterator<Iterator> = nullptr>
  void assign(Iterator first, Iterator last) {
    std::vector<Kept> values;
    {
      const VectorWork<Memory::on_device || is_on_device<Iterator>> work;
      for (; first != last; ++first) values.push_back(static_cast<T>(raw_reference_cast(*first)));
    }
    replace_by(values);
  }
  void assign(std::initializer_list<T> values) { assign(values.begin(), values.end()); }

  iterator insert(iterator position, const T& value) {
    const std::ptrdiff_t at = position - begin();
    insert(position, size_type{1}, value);
    return begin() + at;
  }
  void insert(iterator position, size_type count, const T& value) {
    auto values = all();
    values.insert(values.begin() + (position - begin()), count, value);
    replace_by(values);
  }
  template <class Iterator, if_iterator<Iterator> = nullptr>
  void insert(iterator position, Iterator first, Iterator last) {
    const basic_vector added(first, last);
    auto values = all(), more = added.all();
    values.insert(values.begin() + (position - begin()), more.begin(), more.end());
    replace_by(values);
  }
  iterator erase(iterator position) { return erase(position, position + 1); }
  iterator erase(iterator first, iterator last) {
    const std::ptrdiff_t at = first - begin();
    auto values = all();
    values.erase(values.begin() + at, values.begin() + (last - begin()));
    const size_type kept = values.size();
    const VectorWork<Memory::on_device> work;
    work.writes(data_ + at, kept - static_cast<size_type>(at));
    for (size_type i = static_cast<size_type>(at); i < kept; ++i) data_[i] = values[i];
    shrink_to(kept);
    return begin() + at;
  }
  void swap(basic_vector& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  friend void swap(basic_vector& a, basic_vector& b) noexcept { a.swap(b); }

  // The elements as seen by the host.
  std::vector<Kept> all() const {
    const VectorWork<Memory::on_device> work;
    work.reads(data_, size_);
    return std::vector<Kept>(data_, data_ + size_);
  }

 private:
  void grow_to(size_type count) {
    if (count > capacity_) move_to(count > 2 * capacity_ ? count : 2 * capacity_);
  }
  void shrink_to(size_type count) {
    const hirace::cpu::LibraryAccess access;
    while (size_ > count) data_[--size_].~T();
  }
  void move_to(size_type capacity) {
    T* const memory = capacity == 0 ? nullptr : Memory::allocate(capacity);
    const size_type count = size_;
    {
      const VectorWork<Memory::on_device> work;
      work.reads(data_, count);
      work.writes(memory, count);
      for (size_type i = 0; i < count; ++i) new (memory + i) T(std::move(data_[i]));
    }
    shrink_to(0);
    if (data_ != nullptr) Memory::release(data_);
    data_ = memory;
    size_ = count;
    capacity_ = capacity;
  }
  template <class Values>
  void replace_by(const Values& values) {
    clear();
    if (values.size() > capacity_) move_to(values.size());
    const VectorWork<Memory::on_device> work;
    work.writes(data_, values.size());
    for (size_type i = 0; i < values.size(); ++i) new (data_ + i) T(values[i]);
    size_ = values.size();
  }

  T* data_ = nullptr;
  size_type size_ = 0, capacity_ = 0;
};

template <class T, class Other>
bool equal_vectors(const T& a, const Other& b) {
  const VectorWork<is_on_device<decltype(a.begin())> || is_on_device<decltype(b.begin())>> work;
  if (a.size() != b.size()) return false;
  auto other = b.begin();
  for (const auto& value : a.all()) {
    if (!(value.value == raw_reference_cast(*other++))) return false;
  }
  return true;
}
template <class T, class Allocator, class OtherT, class Other>
bool operator==(const basic_vector<T, Allocator>& a, const basic_vector<OtherT, Other>& b) {
  return equal_vectors(a, b);
}
template <class T, class Allocator, class OtherT, class Other>
bool operator!=(const basic_vector<T, Allocator>& a, const basic_vector<OtherT, Other>& b) {
  return !equal_vectors(a, b);
}
template <class T, class Allocator>
bool operator==(const basic_vector<T, Allocator>& a, const std::vector<T>& b) {
  return equal_vectors(a, b);
}
template <class T, class Allocator>
bool operator==(const std::vector<T>& a, const basic_vector<T, Allocator>& b) {
  return equal_vectors(b, a);
}

}  // namespace detail

template <class T, class Allocator = std::allocator<T>>
class host_vector : public detail::basic_vector<T, Allocator> {
 public:
  using detail::basic_vector<T, Allocator>::basic_vector;
  using detail::basic_vector<T, Allocator>::operator=;
};
template <class T, class Allocator = device_allocator<T>>
class device_vector : public detail::basic_vector<T, Allocator> {
 public:
  using detail::basic_vector<T, Allocator>::basic_vector;
  using detail::basic_vector<T, Allocator>::operator=;
};
template <class T, class Allocator = universal_allocator<T>>
class universal_vector : public detail::basic_vector<T, Allocator> {
 public:
  using detail::basic_vector<T, Allocator>::basic_vector;
  using detail::basic_vector<T, Allocator>::operator=;
};

}  // namespace thrust
