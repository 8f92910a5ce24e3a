// The order of keys in a radix sort: by their bits, possibly only some of them.
#pragma once

#include <cstring>
#include <type_traits>

#include "../cuda/unsigned_of.h"

namespace hirace::cpu {

// Bits that compare as the keys do. Any type that is not an integer counts as a floating-point
// number with a sign bit; zeros of both signs are equal.
template <class Key>
UnsignedOf<sizeof(Key)> radix_bits(const Key& key) {
  using Bits = UnsignedOf<sizeof(Key)>;
  constexpr Bits sign = static_cast<Bits>(Bits{1} << (sizeof(Key) * 8 - 1));
  Bits bits;
  std::memcpy(&bits, &key, sizeof bits);
  constexpr bool is_wide = std::is_same_v<Key, unsigned __int128> || std::is_same_v<Key, __int128>;
  if constexpr (std::is_same_v<Key, bool> || std::is_same_v<Key, unsigned __int128>) {
    return bits;
  } else if constexpr (std::is_integral_v<Key> || is_wide) {
    return std::is_signed_v<Key> || is_wide ? static_cast<Bits>(bits ^ sign) : bits;
  } else {
    if (bits == sign) bits = 0;
    return (bits & sign) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | sign);
  }
}

// Whether a is before b, by the bits in [begin, end).
template <class Key>
class RadixLess {
 public:
  RadixLess(int begin, int end, bool descending) : begin_(begin), bits_(end - begin), descending_(descending) {}
  bool operator()(const Key& a, const Key& b) const {
    const auto first = digit(a), second = digit(b);
    return descending_ ? second < first : first < second;
  }

 private:
  auto digit(const Key& key) const {
    using Bits = UnsignedOf<sizeof(Key)>;
    const Bits bits = radix_bits(key);
    if (bits_ <= 0) return Bits{0};
    const Bits mask = static_cast<Bits>(bits_ >= static_cast<int>(sizeof(Key) * 8) ? ~Bits{0} : (Bits{1} << bits_) - 1);
    return static_cast<Bits>(bits >> begin_ & mask);
  }
  int begin_, bits_;
  bool descending_;
};

}  // namespace hirace::cpu
