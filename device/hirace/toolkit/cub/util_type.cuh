// Small types of CUB: pairs, buffers, tags.
#pragma once

#include "util_traits.cuh"

#define CUB_NAMESPACE_BEGIN namespace cub {
#define CUB_NAMESPACE_END }
#define CUB_RUNTIME_FUNCTION
#define CUB_VERSION 300000
#define CUB_MAJOR_VERSION (CUB_VERSION / 100000)
#define CUB_MINOR_VERSION (CUB_VERSION / 100 % 1000)
#define CUB_SUBMINOR_VERSION (CUB_VERSION % 100)
#define CUB_PATCH_NUMBER 0
#define CUB_NS_PREFIX
#define CUB_NS_POSTFIX
#define CUB_NS_QUALIFIER ::cub

namespace cub {

struct NullType {
  NullType() = default;
  template <class T>
  NullType(const T&) {}
  template <class T>
  NullType& operator=(const T&) { return *this; }
  bool operator==(const NullType&) const { return true; }
  bool operator!=(const NullType&) const { return false; }
};

template <int value>
struct Int2Type {
  enum { VALUE = value };
};

template <class KeyType, class ValueType>
struct KeyValuePair {
  using Key = KeyType;
  using Value = ValueType;
  KeyType key;
  ValueType value;
  KeyValuePair() = default;
  KeyValuePair(const KeyType& the_key, const ValueType& the_value) : key(the_key), value(the_value) {}
  bool operator==(const KeyValuePair& other) const { return key == other.key && value == other.value; }
  bool operator!=(const KeyValuePair& other) const { return !(*this == other); }
};

// Two buffers between which a sort alternates.
template <class T>
struct DoubleBuffer {
  T* d_buffers[2];
  int selector = 0;
  DoubleBuffer() : d_buffers{nullptr, nullptr} {}
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() const { return d_buffers[selector]; }
  T* Alternate() const { return d_buffers[selector ^ 1]; }
};

// Memory for an object that is not constructed yet.
template <class T>
struct Uninitialized {
  alignas(T) unsigned char storage[sizeof(T)];
  T& Alias() { return reinterpret_cast<T&>(*this); }
};

}  // namespace cub
