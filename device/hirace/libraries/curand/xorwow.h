// XORWOW (Marsaglia, "Xorshift RNGs", 2003, section 3.1), as cuRAND seeds and divides it: subsequences
// begin 2^67 numbers apart.
//
// A step maps the bits of v linearly, so a power of its matrix leads to any later position. The other part,
// d, grows by a constant.
#pragma once

#include <cstdint>

#include "states.h"

namespace hirace::cpu {

// A linear map of 160 bits: rows[i] is the image of bit i.
struct XorshiftMap {
  static constexpr unsigned words = 5, bits = 160;
  std::uint32_t rows[bits][words];

  void apply(std::uint32_t (&vector)[words]) const {
    std::uint32_t image[words] = {};
    for (unsigned word = 0; word < words; ++word) {
      for (std::uint32_t rest = vector[word]; rest != 0; rest &= rest - 1) {
        const std::uint32_t* const row = rows[32 * word + static_cast<unsigned>(__builtin_ctz(rest))];
        for (unsigned k = 0; k < words; ++k) image[k] ^= row[k];
      }
    }
    for (unsigned k = 0; k < words; ++k) vector[k] = image[k];
  }
};

inline std::uint32_t step_xorshift(std::uint32_t (&v)[XorshiftMap::words]) {
  const std::uint32_t t = v[0] ^ v[0] >> 2;
  for (unsigned k = 0; k + 1 < XorshiftMap::words; ++k) v[k] = v[k + 1];
  return v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}

// powers[k] makes 2^k steps.
struct XorshiftPowers {
  static constexpr unsigned sequence = 67;
  XorshiftMap powers[sequence + 64];

  XorshiftPowers() {
    for (unsigned bit = 0; bit < XorshiftMap::bits; ++bit) {
      std::uint32_t unit[XorshiftMap::words] = {};
      unit[bit / 32] = std::uint32_t{1} << bit % 32;
      step_xorshift(unit);
      std::memcpy(powers[0].rows[bit], unit, sizeof unit);
    }
    for (unsigned k = 1; k < sequence + 64; ++k) {
      for (unsigned bit = 0; bit < XorshiftMap::bits; ++bit) {
        std::memcpy(powers[k].rows[bit], powers[k - 1].rows[bit], sizeof powers[k].rows[bit]);
        powers[k - 1].apply(powers[k].rows[bit]);
      }
    }
  }

  // Makes n * 2^first steps.
  static void skip(std::uint32_t (&v)[XorshiftMap::words], unsigned long long n, unsigned first) {
    if (n == 0) return;
    static const XorshiftPowers all;
    for (unsigned k = first; n != 0; n >>= 1, ++k) {
      if ((n & 1) != 0) all.powers[k].apply(v);
    }
  }
};

constexpr unsigned int weyl_step = 362437;

}  // namespace hirace::cpu

inline unsigned int curand(curandStateXORWOW* state) {
  state->d += hirace::cpu::weyl_step;
  return hirace::cpu::step_xorshift(state->v) + state->d;
}

inline void skipahead(unsigned long long n, curandStateXORWOW* state) {
  hirace::cpu::XorshiftPowers::skip(state->v, n, 0);
  state->d += hirace::cpu::weyl_step * static_cast<unsigned int>(n);
}
inline void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
  hirace::cpu::XorshiftPowers::skip(state->v, n, hirace::cpu::XorshiftPowers::sequence);
}

inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateXORWOW* state) {
  const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  *state = {6615241u + high + low, {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low}, {}, 0};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
