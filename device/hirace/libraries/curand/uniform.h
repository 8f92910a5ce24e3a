// Uniformly distributed numbers: more than 0 and at most 1.
#pragma once

#include "mrg32k3a.h"
#include "philox.h"
#include "sobol.h"
#include "xorwow.h"

namespace hirace::cpu {

inline float unit_float(unsigned int bits) { return static_cast<float>(bits) * 0x1p-32f + 0x1p-33f; }
inline float unit_float(unsigned long long bits) { return unit_float(static_cast<unsigned int>(bits >> 32)); }

inline double unit_double(unsigned int bits) { return bits * 0x1p-32 + 0x1p-32; }
inline double unit_double(unsigned long long bits) { return static_cast<double>(bits >> 11) * 0x1p-53 + 0x1p-54; }
// From two numbers, with all digits of a double.
inline double unit_double(unsigned int low, unsigned int high) {
  return static_cast<double>(low ^ static_cast<unsigned long long>(high) << 21) * 0x1p-53 + 0x1p-54;
}

}  // namespace hirace::cpu

template <class State>
hirace::cpu::for_generator<State, float> curand_uniform(State* state) {
  if constexpr (std::is_same_v<State, curandStateMRG32k3a>) {
    return static_cast<float>(hirace::cpu::step_mrg32k3a(*state) * hirace::cpu::mrg_norm);
  } else {
    return hirace::cpu::unit_float(curand(state));
  }
}

template <class State>
hirace::cpu::for_generator<State, double> curand_uniform_double(State* state) {
  if constexpr (std::is_same_v<State, curandStateMRG32k3a>) {
    return hirace::cpu::step_mrg32k3a(*state) * hirace::cpu::mrg_norm;
  } else if constexpr (std::is_same_v<State, curandStateXORWOW>) {
    const unsigned int low = curand(state);
    return hirace::cpu::unit_double(low, curand(state));
  } else {
    return hirace::cpu::unit_double(curand(state));
  }
}

inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 bits = curand4(state);
  return {hirace::cpu::unit_float(bits.x), hirace::cpu::unit_float(bits.y), hirace::cpu::unit_float(bits.z),
          hirace::cpu::unit_float(bits.w)};
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 bits = curand4(state);
  return {hirace::cpu::unit_double(bits.x, bits.y), hirace::cpu::unit_double(bits.z, bits.w)};
}
inline double4 curand_uniform4_double(curandStatePhilox4_32_10* state) {
  const double2 first = curand_uniform2_double(state), second = curand_uniform2_double(state);
  return {first.x, first.y, second.x, second.y};
}
