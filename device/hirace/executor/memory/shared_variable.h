// The storage of `__shared__` variables, as seen by a kernel. shared_layout.h assigns their positions.
#pragma once

#include <atomic>

#include "../../hooks/backend.h"
#include "array_shape.h"

namespace hirace::cpu {

constexpr std::size_t max_dynamic_shared_bytes = 227 * 1024;
constexpr std::size_t default_dynamic_shared_bytes = 48 * 1024;

// A launch may have more than the default only if its kernel's attribute says so (CUDA C++ Programming Guide, "Shared
// Memory"). Which kernels have one is not followed, only whether any has.
inline std::atomic<bool> dynamic_shared_is_raised{false};
inline void raise_dynamic_shared() { dynamic_shared_is_raised.store(true, std::memory_order_relaxed); }
inline std::size_t dynamic_shared_limit() {
  return dynamic_shared_is_raised.load(std::memory_order_relaxed) ? max_dynamic_shared_bytes : default_dynamic_shared_bytes;
}

// The offset of a new variable in a block's memory.
std::size_t reserve_shared(std::size_t bytes, std::size_t align, std::uint64_t key, const ArrayShape& shape);

// Whether an address is in shared memory, of any block.
bool is_shared_memory(const volatile void* pointer);

// The start of the running block's shared memory.
inline thread_local char* block_shared = nullptr;
inline thread_local char* block_dynamic_shared = nullptr;

// The notes of the file have its name under the key.
template <class T, unsigned long long Key>
struct SharedVariable {
  static inline const std::size_t offset = reserve_shared(sizeof(T), alignof(T), Key, shape_of<T>());
};

// The running block's instance of a __shared__ variable; Key distinguishes declarations of the same type.
template <class T, unsigned long long Key>
inline T& shared() {
  // GCC 12 accepts no other cast where `T` is a pointer with `__restrict__`.
  using Variable = T*;
  return *(Variable)(block_shared + SharedVariable<T, Key>::offset);
}

// Its second name, for programs with a macro of the first one.
template <class T, unsigned long long Key>
inline T& hirace_shared() {
  return shared<T, Key>();
}

// A declaration of dynamic shared memory, and the first one that a thread of the launch has passed: all of them name
// the same memory.
struct DynamicName {
  std::uint64_t key;
  ArrayShape shape;
};
inline std::atomic<const DynamicName*> dynamic_name{nullptr};

// The dynamic shared memory of the running block. The notes of the file have its name under the key, if it is not 0.
template <class T, unsigned long long Key = 0>
inline T* dynamic_shared() {
  if constexpr (Key != 0) {
    static constexpr DynamicName name{Key, shape_of<T[1]>()};
    if (dynamic_name.load(std::memory_order_relaxed) == nullptr) dynamic_name.store(&name, std::memory_order_relaxed);
  }
  return reinterpret_cast<T*>(block_dynamic_shared);
}

// Replaces `extern __shared__ T name[];` at file scope.
template <class T, unsigned long long Key = 0>
class DynamicShared {
 public:
  operator T*() const { return dynamic_shared<T, Key>(); }
  // For casts to pointers to other types, as an array allows.
  template <class Other>
  explicit operator Other*() const {
    return reinterpret_cast<Other*>(dynamic_shared<T, Key>());
  }
  T& operator*() const { return *dynamic_shared<T, Key>(); }
  // The address of the array, which programs cast.
  T* operator&() const { return dynamic_shared<T, Key>(); }
  template <class Index>
  T& operator[](Index i) const {
    return dynamic_shared<T, Key>()[i];
  }
  template <class Index>
  T* operator+(Index i) const {
    return dynamic_shared<T, Key>() + i;
  }
};

}  // namespace hirace::cpu
