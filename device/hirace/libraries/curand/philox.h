// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11): four numbers
// for each value of a counter. cuRAND's subsequences are the upper half of the counter.
#pragma once

#include <cstdint>

#include "states.h"

namespace hirace::cpu {

inline uint4 philox_numbers(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xd2511f53u} * counter.x, second = std::uint64_t{0xcd9e8d57u} * counter.z;
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter.y ^ key.x, static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter.w ^ key.y, static_cast<std::uint32_t>(first)};
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

// Adds to the counter and makes its numbers.
inline void advance_philox(curandStatePhilox4_32_10& state, unsigned long long n) {
  std::uint64_t low = std::uint64_t{state.ctr.y} << 32 | state.ctr.x, high = std::uint64_t{state.ctr.w} << 32 | state.ctr.z;
  low += n;
  if (low < n) ++high;
  state.ctr = {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32), static_cast<std::uint32_t>(high),
               static_cast<std::uint32_t>(high >> 32)};
  state.output = philox_numbers(state.ctr, state.key);
}

inline unsigned int philox_number(const uint4& numbers, unsigned int i) {
  return i == 0 ? numbers.x : i == 1 ? numbers.y : i == 2 ? numbers.z : numbers.w;
}

}  // namespace hirace::cpu

inline unsigned int curand(curandStatePhilox4_32_10* state) {
  const unsigned int number = hirace::cpu::philox_number(state->output, state->STATE);
  if (++state->STATE == 4) {
    state->STATE = 0;
    hirace::cpu::advance_philox(*state, 1);
  }
  return number;
}

inline uint4 curand4(curandStatePhilox4_32_10* state) {
  const uint4 now = state->output;
  hirace::cpu::advance_philox(*state, 1);
  unsigned int numbers[4];
  for (unsigned int k = 0; k < 4; ++k) {
    const unsigned int at = state->STATE + k;
    numbers[k] = at < 4 ? hirace::cpu::philox_number(now, at) : hirace::cpu::philox_number(state->output, at - 4);
  }
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

inline void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned long long within = state->STATE + n % 4;
  state->STATE = static_cast<unsigned int>(within % 4);
  hirace::cpu::advance_philox(*state, n / 4 + within / 4);
}
inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  const std::uint64_t sequence = (std::uint64_t{state->ctr.w} << 32 | state->ctr.z) + n;
  state->ctr.z = static_cast<std::uint32_t>(sequence);
  state->ctr.w = static_cast<std::uint32_t>(sequence >> 32);
  hirace::cpu::advance_philox(*state, 0);
}

inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                        curandStatePhilox4_32_10* state) {
  *state = {{}, {}, {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}, 0, {}};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
