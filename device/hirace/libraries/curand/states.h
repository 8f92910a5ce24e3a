// The states of cuRAND's generators for kernels, and which of them keep a second normal number.
//
// A state is an ordinary object, of the size that it has in cuRAND: programs allocate, copy and share states
// as any memory. No state has bytes that its initialisation leaves unwritten.
#pragma once

#include <cstring>
#include <type_traits>

#include "../../cuda/vector_types.h"
#include "../../cuda/unsupported_macros.h"

namespace hirace::cpu {

// Box and Muller's method makes two numbers at a time. The second one is kept for the next call of the same kind.
enum class SpareKind : int { none, normal, log_normal };
struct SpareNumbers {
  SpareKind single, doubled;
  float value;
  unsigned int double_value[2];  // in words, so that the state needs no padding
};

}  // namespace hirace::cpu

struct curandStateXORWOW {
  unsigned int d, v[5];
  hirace::cpu::SpareNumbers spare;
  unsigned int unused;
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  hirace::cpu::SpareNumbers spare;
  unsigned int unused;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;  // which number of `output` is next
  hirace::cpu::SpareNumbers spare;
};
static_assert(sizeof(curandStateXORWOW) == 48 && sizeof(curandStateMRG32k3a) == 48 && sizeof(curandStatePhilox4_32_10) == 64,
              "as in cuRAND");

// Sobol's sequences: `x` is the number at position `i`; `c` is what scrambled ones begin with.
#define HIRACE_SOBOL_STATE(name, word, bits) \
  struct name {                              \
    word i, x, c;                            \
    word direction_vectors[bits];            \
  };                                         \
  using name##_t = name;
HIRACE_SOBOL_STATE(curandStateSobol32, unsigned int, 32)
HIRACE_SOBOL_STATE(curandStateScrambledSobol32, unsigned int, 32)
HIRACE_SOBOL_STATE(curandStateSobol64, unsigned long long, 64)
HIRACE_SOBOL_STATE(curandStateScrambledSobol64, unsigned long long, 64)
#undef HIRACE_SOBOL_STATE

using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandStateXORWOW_t = curandStateXORWOW;
using curandStateMRG32k3a_t = curandStateMRG32k3a;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

HIRACE_UNSUPPORTED_TYPE(curandStateMtgp32_t, "its parameters are part of cuRAND; use another generator, such as curandStatePhilox4_32_10_t")

namespace hirace::cpu {

template <class State>
constexpr bool has_spare_numbers = std::is_same_v<State, curandStateXORWOW> || std::is_same_v<State, curandStateMRG32k3a> ||
                                   std::is_same_v<State, curandStatePhilox4_32_10>;
template <class State>
constexpr bool is_sobol = std::is_same_v<State, curandStateSobol32> || std::is_same_v<State, curandStateScrambledSobol32> ||
                          std::is_same_v<State, curandStateSobol64> || std::is_same_v<State, curandStateScrambledSobol64>;
template <class State>
constexpr bool is_scrambled = std::is_same_v<State, curandStateScrambledSobol32> || std::is_same_v<State, curandStateScrambledSobol64>;

// `Result`, in functions of a generator's state only.
template <class State, class Result>
using for_generator = std::enable_if_t<has_spare_numbers<State> || is_sobol<State>, Result>;
template <class State, class Result>
using for_pseudorandom = std::enable_if_t<has_spare_numbers<State>, Result>;
template <class State, class Result>
using for_sobol = std::enable_if_t<is_sobol<State>, Result>;

}  // namespace hirace::cpu
