// Sobol's quasirandom sequences, in the order of the Gray code (Antonov and Saleev, 1979). The direction
// vectors are the program's; scrambled sequences begin with a constant instead of zero.
#pragma once

#include "states.h"

using curandDirectionVectors32_t = unsigned int[32];
using curandDirectionVectors64_t = unsigned long long[64];

namespace hirace::cpu {

template <class State>
using SobolWord = decltype(State::i);

template <class State>
void place_sobol(State& state, SobolWord<State> position) {
  state.i = position;
  state.x = state.c;
  const SobolWord<State> gray = position ^ position >> 1;
  for (unsigned k = 0; k < 8 * sizeof gray; ++k) {
    if ((gray >> k & 1) != 0) state.x ^= state.direction_vectors[k];
  }
}

template <class State>
void init_sobol(const SobolWord<State>* directions, SobolWord<State> scramble, SobolWord<State> offset, State& state) {
  state.c = scramble;
  for (unsigned k = 0; k < 8 * sizeof scramble; ++k) state.direction_vectors[k] = directions[k];
  place_sobol(state, offset);
}

}  // namespace hirace::cpu

template <class State>
hirace::cpu::for_sobol<State, hirace::cpu::SobolWord<State>> curand(State* state) {
  const auto number = state->x;
  unsigned bit = 0;  // the bit of the Gray code that changes, the lowest zero of the position
  while (bit + 1 < 8 * sizeof number && (state->i >> bit & 1) != 0) ++bit;
  state->x ^= state->direction_vectors[bit];
  ++state->i;
  return number;
}

template <class State>
hirace::cpu::for_sobol<State, void> skipahead(unsigned long long n, State* state) {
  hirace::cpu::place_sobol(*state, static_cast<hirace::cpu::SobolWord<State>>(state->i + n));
}

// Programs may call `skipahead<curandStateSobol32_t *>(n, state)`.
template <class Pointer>
hirace::cpu::for_sobol<std::remove_pointer_t<Pointer>, void> skipahead(unsigned long long n, Pointer state) {
  skipahead<std::remove_pointer_t<Pointer>>(n, state);
}

inline void curand_init(const unsigned int* directions, unsigned int offset, curandStateSobol32* state) {
  hirace::cpu::init_sobol(directions, 0, offset, *state);
}
inline void curand_init(const unsigned long long* directions, unsigned long long offset, curandStateSobol64* state) {
  hirace::cpu::init_sobol(directions, 0, offset, *state);
}
inline void curand_init(const unsigned int* directions, unsigned int scramble, unsigned int offset, curandStateScrambledSobol32* state) {
  hirace::cpu::init_sobol(directions, scramble, offset, *state);
}
inline void curand_init(const unsigned long long* directions, unsigned long long scramble, unsigned long long offset,
                        curandStateScrambledSobol64* state) {
  hirace::cpu::init_sobol(directions, scramble, offset, *state);
}
