// MRG32k3a (L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number
// generators", 1999), as cuRAND seeds and divides it: sequences begin 2^127 numbers apart, subsequences 2^76.
#pragma once

#include <cstdint>

#include "states.h"

namespace hirace::cpu {

// One of its two recurrences: the step that it makes is linear modulo `modulus`.
struct Recurrence {
  std::uint64_t modulus;
  std::uint64_t step[3][3];  // of (x[n-3], x[n-2], x[n-1])
};
constexpr Recurrence mrg_recurrences[2] = {
    {4294967087u, {{0, 1, 0}, {0, 0, 1}, {4294967087u - 810728u, 1403580u, 0}}},
    {4294944443u, {{0, 1, 0}, {0, 0, 1}, {4294944443u - 1370589u, 0, 527612u}}},
};

struct RecurrenceMap {
  std::uint64_t entries[3][3];

  void apply(std::uint32_t (&vector)[3], std::uint64_t modulus) const {
    std::uint64_t image[3];
    for (int i = 0; i < 3; ++i) {
      image[i] = 0;
      for (int j = 0; j < 3; ++j) image[i] = (image[i] + entries[i][j] * vector[j] % modulus) % modulus;
    }
    for (int i = 0; i < 3; ++i) vector[i] = static_cast<std::uint32_t>(image[i]);
  }
};

// powers[r][k] makes 2^k steps of recurrence r.
struct RecurrencePowers {
  static constexpr unsigned subsequence = 76, sequence = 127;
  RecurrenceMap powers[2][sequence + 64];

  RecurrencePowers() {
    for (int r = 0; r < 2; ++r) {
      std::memcpy(powers[r][0].entries, mrg_recurrences[r].step, sizeof powers[r][0].entries);
      for (unsigned k = 1; k < sequence + 64; ++k) square(powers[r][k - 1], powers[r][k], mrg_recurrences[r].modulus);
    }
  }

  // Makes n * 2^first steps.
  static void skip(curandStateMRG32k3a& state, unsigned long long n, unsigned first) {
    if (n == 0) return;
    static const RecurrencePowers all;
    for (unsigned k = first; n != 0; n >>= 1, ++k) {
      if ((n & 1) == 0) continue;
      all.powers[0][k].apply(state.s1, mrg_recurrences[0].modulus);
      all.powers[1][k].apply(state.s2, mrg_recurrences[1].modulus);
    }
  }

 private:
  static void square(const RecurrenceMap& map, RecurrenceMap& result, std::uint64_t modulus) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        std::uint64_t sum = 0;
        for (int k = 0; k < 3; ++k) sum = (sum + map.entries[i][k] * map.entries[k][j] % modulus) % modulus;
        result.entries[i][j] = sum;
      }
    }
  }
};

inline std::uint64_t step_recurrence(std::uint32_t (&x)[3], const Recurrence& recurrence) {
  const std::uint64_t* const last = recurrence.step[2];
  std::uint64_t sum = 0;
  for (int k = 0; k < 3; ++k) sum = (sum + last[k] * x[k] % recurrence.modulus) % recurrence.modulus;
  x[0] = x[1];
  x[1] = x[2];
  x[2] = static_cast<std::uint32_t>(sum);
  return sum;
}

// A whole number from 1 to the first modulus.
inline double step_mrg32k3a(curandStateMRG32k3a& state) {
  const std::uint64_t first = step_recurrence(state.s1, mrg_recurrences[0]), second = step_recurrence(state.s2, mrg_recurrences[1]);
  return static_cast<double>(first > second ? first - second : first + mrg_recurrences[0].modulus - second);
}

// Scales such a number to the unit interval, and to 32 bits.
constexpr double mrg_norm = 2.3283065498378288e-10, mrg_norm_bits = 1.000000048662;

}  // namespace hirace::cpu

inline unsigned int curand(curandStateMRG32k3a* state) {
  return static_cast<unsigned int>(hirace::cpu::step_mrg32k3a(*state) * hirace::cpu::mrg_norm_bits);
}

inline void skipahead(unsigned long long n, curandStateMRG32k3a* state) { hirace::cpu::RecurrencePowers::skip(*state, n, 0); }
inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
  hirace::cpu::RecurrencePowers::skip(*state, n, hirace::cpu::RecurrencePowers::subsequence);
}
inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
  hirace::cpu::RecurrencePowers::skip(*state, n, hirace::cpu::RecurrencePowers::sequence);
}

inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, curandStateMRG32k3a* state) {
  constexpr std::uint64_t start = 12345;
  *state = {{start, start, start}, {start, start, start}, {}, 0};
  if (seed != 0) {
    const std::uint64_t mixed[2] = {static_cast<std::uint32_t>(seed) ^ 0x55555555u, static_cast<std::uint32_t>(seed >> 32) ^ 0xaaaaaaaau};
    for (int k = 0; k < 3; ++k) {
      state->s1[k] = static_cast<std::uint32_t>(mixed[k % 2] * start % hirace::cpu::mrg_recurrences[0].modulus);
      state->s2[k] = static_cast<std::uint32_t>(mixed[(k + 1) % 2] * start % hirace::cpu::mrg_recurrences[1].modulus);
    }
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}
