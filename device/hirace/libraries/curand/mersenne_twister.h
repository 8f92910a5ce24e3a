// MT19937 (Matsumoto and Nishimura, "Mersenne Twister", 1998), which only the host's generators use.
#pragma once

#include <cstdint>

#include "states.h"

namespace hirace::cpu {

struct MersenneTwister {
  static constexpr unsigned words = 624, middle = 397;
  std::uint32_t state[words];
  unsigned next;
  SpareNumbers spare;
};
template <>
inline constexpr bool has_spare_numbers<MersenneTwister> = true;

inline unsigned int curand(MersenneTwister* twister) {
  constexpr unsigned words = MersenneTwister::words;
  std::uint32_t* const state = twister->state;
  if (twister->next == words) {
    for (unsigned i = 0; i < words; ++i) {
      const std::uint32_t joined = (state[i] & 0x80000000u) | (state[(i + 1) % words] & 0x7fffffffu);
      state[i] = state[(i + MersenneTwister::middle) % words] ^ joined >> 1 ^ ((joined & 1) != 0 ? 0x9908b0dfu : 0);
    }
    twister->next = 0;
  }
  std::uint32_t bits = state[twister->next++];
  bits ^= bits >> 11;
  bits ^= bits << 7 & 0x9d2c5680u;
  bits ^= bits << 15 & 0xefc60000u;
  return bits ^ bits >> 18;
}

inline void skipahead(unsigned long long n, MersenneTwister* twister) {
  for (; n != 0; --n) curand(twister);
}

inline void curand_init(unsigned long long seed, unsigned long long, unsigned long long offset, MersenneTwister* twister) {
  twister->state[0] = static_cast<std::uint32_t>(seed ^ seed >> 32);
  for (unsigned i = 1; i < MersenneTwister::words; ++i) {
    const std::uint32_t before = twister->state[i - 1];
    twister->state[i] = 1812433253u * (before ^ before >> 30) + i;
  }
  twister->next = MersenneTwister::words;
  twister->spare = {};
  skipahead(offset, twister);
}

}  // namespace hirace::cpu
