// CUB's traits: what kind of number a type is, with its bits in the order of its values; and its older traits of
// types.
#pragma once

#include "util_macro.cuh"

struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;

namespace cub {

struct NullType;

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };

// `Bits` is an unsigned type of the size of `T`. Programs specialise NumericTraits for their own types.
template <Category category, bool primitive, bool null_type, class Bits, class T>
struct BaseTraits {
  static constexpr Category CATEGORY = category;
  static constexpr bool PRIMITIVE = primitive;
  static constexpr bool NULL_TYPE = null_type;
};

// Keys whose order is that of the values: numbers of a type are sorted by them.
template <Category category, class Bits, class T>
struct BaseTraits<category, true, false, Bits, T> {
  using UnsignedBits = Bits;
  static constexpr Category CATEGORY = category;
  static constexpr bool PRIMITIVE = true;
  static constexpr bool NULL_TYPE = false;

  static constexpr Bits HIGH_BIT = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  static constexpr Bits LOWEST_KEY = category == UNSIGNED_INTEGER ? Bits{0} : category == SIGNED_INTEGER ? HIGH_BIT : static_cast<Bits>(~Bits{0});
  static constexpr Bits MAX_KEY = static_cast<Bits>(category == UNSIGNED_INTEGER ? ~Bits{0} : ~HIGH_BIT);

  static Bits TwiddleIn(Bits key) {
    if (category == UNSIGNED_INTEGER) return key;
    const bool inverted = category == FLOATING_POINT && (key & HIGH_BIT) != 0;
    return static_cast<Bits>(inverted ? ~key : key ^ HIGH_BIT);
  }
  static Bits TwiddleOut(Bits key) {
    if (category == UNSIGNED_INTEGER) return key;
    const bool inverted = category == FLOATING_POINT && (key & HIGH_BIT) == 0;
    return static_cast<Bits>(inverted ? ~key : key ^ HIGH_BIT);
  }

  static T Max() { return extreme(true); }
  static T Lowest() { return extreme(false); }

 private:
  static T extreme(bool greatest) {
    if constexpr (std::numeric_limits<T>::is_specialized) {
      return greatest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
    } else {
      const Bits bits = greatest ? MAX_KEY : LOWEST_KEY;
      T value;
      std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
      return value;
    }
  }
};

template <class T>
struct NumericTraits : BaseTraits<NOT_A_NUMBER, false, false, T, T> {};
template <>
struct NumericTraits<NullType> : BaseTraits<NOT_A_NUMBER, false, true, NullType, NullType> {};

#define HIRACE_CUB_TRAITS(type, category, bits) \
  template <>                                   \
  struct NumericTraits<type> : BaseTraits<category, true, false, bits, type> {};
HIRACE_CUB_TRAITS(char, (std::is_signed_v<char> ? SIGNED_INTEGER : UNSIGNED_INTEGER), unsigned char)
HIRACE_CUB_TRAITS(signed char, SIGNED_INTEGER, unsigned char)
HIRACE_CUB_TRAITS(short, SIGNED_INTEGER, unsigned short)
HIRACE_CUB_TRAITS(int, SIGNED_INTEGER, unsigned int)
HIRACE_CUB_TRAITS(long, SIGNED_INTEGER, unsigned long)
HIRACE_CUB_TRAITS(long long, SIGNED_INTEGER, unsigned long long)
HIRACE_CUB_TRAITS(unsigned char, UNSIGNED_INTEGER, unsigned char)
HIRACE_CUB_TRAITS(unsigned short, UNSIGNED_INTEGER, unsigned short)
HIRACE_CUB_TRAITS(unsigned int, UNSIGNED_INTEGER, unsigned int)
HIRACE_CUB_TRAITS(unsigned long, UNSIGNED_INTEGER, unsigned long)
HIRACE_CUB_TRAITS(unsigned long long, UNSIGNED_INTEGER, unsigned long long)
HIRACE_CUB_TRAITS(bool, UNSIGNED_INTEGER, unsigned char)
HIRACE_CUB_TRAITS(float, FLOATING_POINT, unsigned int)
HIRACE_CUB_TRAITS(double, FLOATING_POINT, unsigned long long)
HIRACE_CUB_TRAITS(__half, FLOATING_POINT, unsigned short)
HIRACE_CUB_TRAITS(__nv_bfloat16, FLOATING_POINT, unsigned short)
HIRACE_CUB_TRAITS(__nv_fp8_e4m3, FLOATING_POINT, unsigned char)
HIRACE_CUB_TRAITS(__nv_fp8_e5m2, FLOATING_POINT, unsigned char)
#undef HIRACE_CUB_TRAITS

template <class T>
struct Traits : NumericTraits<std::remove_cv_t<T>> {};

// The traits that CUB had before CUDA had a standard library.
template <bool condition, class Then, class Otherwise>
struct If {
  using Type = std::conditional_t<condition, Then, Otherwise>;
};
template <class Left, class Right>
struct Equals {
  enum { VALUE = std::is_same_v<Left, Right>, NEGATE = !VALUE };
};
template <class T>
struct IsPointer {
  enum { VALUE = std::is_pointer_v<T> };
};
template <class T>
struct IsVolatile {
  enum { VALUE = std::is_volatile_v<T> };
};
template <class T>
struct RemoveQualifiers {
  using Type = std::remove_cv_t<T>;
};
template <bool condition, class T = void>
using EnableIf = std::enable_if<condition, T>;

// Whether an operator takes an index as its third argument.
template <class T, class Operator, class = void>
struct BinaryOpHasIdxParam : std::false_type {};
template <class T, class Operator>
struct BinaryOpHasIdxParam<T, Operator, std::void_t<decltype(std::declval<Operator>()(std::declval<T>(), std::declval<T>(), 0))>>
    : std::true_type {
  static constexpr bool HAS_PARAM = true;
};

template <class T>
struct AlignBytes {
  static constexpr unsigned ALIGN_BYTES = alignof(T);
  using Type = T;
};

// A value that is in memory when the device needs it, not before.
template <class T, class Iterator = T*>
struct FutureValue {
  using value_type = T;
  using iterator_type = Iterator;
  explicit FutureValue(Iterator iterator) : iterator_(iterator) {}
  operator T() const { return *iterator_; }

 private:
  Iterator iterator_;
};

// CUDA's vectors by their element and their size.
template <class T, int elements>
struct CubVector;
#define HIRACE_CUB_VECTOR(element, vector)                                     \
  template <>                                                                  \
  struct CubVector<element, 1> : vector##1 { using BaseType = element; using Type = vector##1; }; \
  template <>                                                                  \
  struct CubVector<element, 2> : vector##2 { using BaseType = element; using Type = vector##2; }; \
  template <>                                                                  \
  struct CubVector<element, 3> : vector##3 { using BaseType = element; using Type = vector##3; }; \
  template <>                                                                  \
  struct CubVector<element, 4> : vector##4 { using BaseType = element; using Type = vector##4; };
HIRACE_CUB_VECTOR(char, char)
HIRACE_CUB_VECTOR(signed char, char)
HIRACE_CUB_VECTOR(short, short)
HIRACE_CUB_VECTOR(int, int)
HIRACE_CUB_VECTOR(long, long)
HIRACE_CUB_VECTOR(long long, longlong)
HIRACE_CUB_VECTOR(unsigned char, uchar)
HIRACE_CUB_VECTOR(unsigned short, ushort)
HIRACE_CUB_VECTOR(unsigned int, uint)
HIRACE_CUB_VECTOR(unsigned long, ulong)
HIRACE_CUB_VECTOR(unsigned long long, ulonglong)
HIRACE_CUB_VECTOR(float, float)
HIRACE_CUB_VECTOR(double, double)
HIRACE_CUB_VECTOR(bool, uchar)
#undef HIRACE_CUB_VECTOR

}  // namespace cub
