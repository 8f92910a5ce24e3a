// Normally and log-normally distributed numbers: by Box and Muller's method, which makes two at a time, from
// pseudorandom numbers; by the inverse of the distribution from Sobol's, which must stay in order.
#pragma once

#include "../../cuda/cmath.h"
#include "../../cuda/math_functions.h"
#include "uniform.h"

namespace hirace::cpu {

inline float2 box_muller(float radius, float angle) {
  float2 pair;
  sincosf(angle, &pair.x, &pair.y);
  const float length = ::sqrtf(-2.0f * ::logf(radius));
  return {pair.x * length, pair.y * length};
}
// `turns`: the angle in half turns.
inline double2 box_muller(double radius, double turns) {
  double2 pair;
  sincospi(turns, &pair.x, &pair.y);
  const double length = ::sqrt(-2.0 * ::log(radius));
  return {pair.x * length, pair.y * length};
}

constexpr float full_turn = 6.2831855f;

inline float2 normal_pair(unsigned int radius, unsigned int angle) {
  return box_muller(unit_float(radius), static_cast<float>(angle) * (0x1p-32f * full_turn) + 0x1p-33f * full_turn);
}
inline double2 normal_pair(unsigned int radius, unsigned int more, unsigned int angle, unsigned int and_more) {
  return box_muller(unit_double(radius, more), 2.0 * unit_double(angle, and_more));
}

template <class State>
float2 normal_pair(State& state) {
  if constexpr (std::is_same_v<State, curandStateMRG32k3a>) {
    const float radius = curand_uniform(&state);
    return box_muller(radius, curand_uniform(&state) * full_turn);
  } else {
    const unsigned int radius = curand(&state);
    return normal_pair(radius, curand(&state));
  }
}
template <class State>
double2 normal_pair_double(State& state) {
  if constexpr (std::is_same_v<State, curandStatePhilox4_32_10>) {
    const uint4 bits = curand4(&state);
    return normal_pair(bits.x, bits.y, bits.z, bits.w);
  } else {
    // Two uniform numbers: of XORWOW, each is made of two.
    const double radius = curand_uniform_double(&state);
    return box_muller(radius, 2.0 * curand_uniform_double(&state));
  }
}

// The number at which the distribution reaches the share that the bits stand for. Computed in the half below
// zero, where small shares keep their digits.
inline float normal_quantile(unsigned int bits) {
  const bool above = bits > 0x80000000u;
  const float number = ::sqrtf(2.0f) * erfcinvf(2.0f * unit_float(above ? ~bits : bits));
  return above ? -number : number;
}
inline float normal_quantile(unsigned long long bits) { return normal_quantile(static_cast<unsigned int>(bits >> 32)); }
inline double normal_quantile_double(unsigned int bits) {
  const bool above = bits > 0x80000000u;
  const double number = ::sqrt(2.0) * erfcinv(2.0 * ((above ? ~bits : bits) * 0x1p-32 + 0x1p-33));
  return above ? -number : number;
}
inline double normal_quantile_double(unsigned long long bits) {
  bits >>= 11;
  const bool above = bits > 1ull << 52;
  const double number = ::sqrt(2.0) * erfcinv(2.0 * (static_cast<double>(above ? (1ull << 53) - 1 - bits : bits) * 0x1p-53 + 0x1p-54));
  return above ? -number : number;
}

// Returns one of two numbers and keeps the other one, as `shape` makes it.
template <class State, class Shape>
float one_normal(State& state, SpareKind kind, const Shape& shape) {
  if (state.spare.single == kind) {
    state.spare.single = SpareKind::none;
    return state.spare.value;
  }
  const float2 pair = normal_pair(state);
  state.spare.value = shape(pair.y);
  state.spare.single = kind;
  return shape(pair.x);
}
template <class State, class Shape>
double one_normal_double(State& state, SpareKind kind, const Shape& shape) {
  double number;
  if (state.spare.doubled == kind) {
    state.spare.doubled = SpareKind::none;
    std::memcpy(&number, state.spare.double_value, sizeof number);
    return number;
  }
  const double2 pair = normal_pair_double(state);
  number = shape(pair.y);
  std::memcpy(state.spare.double_value, &number, sizeof number);
  state.spare.doubled = kind;
  return shape(pair.x);
}

struct Unchanged {
  template <class Number>
  Number operator()(Number number) const {
    return number;
  }
};
// The number whose logarithm is normally distributed.
struct Exponential {
  double mean, deviation;
  float operator()(float number) const { return ::expf(static_cast<float>(mean) + static_cast<float>(deviation) * number); }
  double operator()(double number) const { return ::exp(mean + deviation * number); }
};

}  // namespace hirace::cpu

template <class State>
hirace::cpu::for_generator<State, float> curand_normal(State* state) {
  if constexpr (hirace::cpu::is_sobol<State>) {
    return hirace::cpu::normal_quantile(curand(state));
  } else {
    return hirace::cpu::one_normal(*state, hirace::cpu::SpareKind::normal, hirace::cpu::Unchanged{});
  }
}
template <class State>
hirace::cpu::for_generator<State, double> curand_normal_double(State* state) {
  if constexpr (hirace::cpu::is_sobol<State>) {
    return hirace::cpu::normal_quantile_double(curand(state));
  } else {
    return hirace::cpu::one_normal_double(*state, hirace::cpu::SpareKind::normal, hirace::cpu::Unchanged{});
  }
}
template <class State>
hirace::cpu::for_generator<State, float> curand_log_normal(State* state, float mean, float stddev) {
  const hirace::cpu::Exponential shape{mean, stddev};
  if constexpr (hirace::cpu::is_sobol<State>) {
    return shape(hirace::cpu::normal_quantile(curand(state)));
  } else {
    return hirace::cpu::one_normal(*state, hirace::cpu::SpareKind::log_normal, shape);
  }
}
template <class State>
hirace::cpu::for_generator<State, double> curand_log_normal_double(State* state, double mean, double stddev) {
  const hirace::cpu::Exponential shape{mean, stddev};
  if constexpr (hirace::cpu::is_sobol<State>) {
    return shape(hirace::cpu::normal_quantile_double(curand(state)));
  } else {
    return hirace::cpu::one_normal_double(*state, hirace::cpu::SpareKind::log_normal, shape);
  }
}

// Several numbers at a time. None of them is kept.
template <class State>
hirace::cpu::for_pseudorandom<State, float2> curand_normal2(State* state) {
  return hirace::cpu::normal_pair(*state);
}
template <class State>
hirace::cpu::for_pseudorandom<State, double2> curand_normal2_double(State* state) {
  return hirace::cpu::normal_pair_double(*state);
}
inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const uint4 bits = curand4(state);
  const float2 first = hirace::cpu::normal_pair(bits.x, bits.y), second = hirace::cpu::normal_pair(bits.z, bits.w);
  return {first.x, first.y, second.x, second.y};
}
inline double4 curand_normal4_double(curandStatePhilox4_32_10* state) {
  const double2 first = curand_normal2_double(state), second = curand_normal2_double(state);
  return {first.x, first.y, second.x, second.y};
}
template <class State>
hirace::cpu::for_pseudorandom<State, float2> curand_log_normal2(State* state, float mean, float stddev) {
  const hirace::cpu::Exponential shape{mean, stddev};
  const float2 pair = curand_normal2(state);
  return {shape(pair.x), shape(pair.y)};
}
template <class State>
hirace::cpu::for_pseudorandom<State, double2> curand_log_normal2_double(State* state, double mean, double stddev) {
  const hirace::cpu::Exponential shape{mean, stddev};
  const double2 pair = curand_normal2_double(state);
  return {shape(pair.x), shape(pair.y)};
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float stddev) {
  const hirace::cpu::Exponential shape{mean, stddev};
  const float4 four = curand_normal4(state);
  return {shape(four.x), shape(four.y), shape(four.z), shape(four.w)};
}
inline double4 curand_log_normal4_double(curandStatePhilox4_32_10* state, double mean, double stddev) {
  const hirace::cpu::Exponential shape{mean, stddev};
  const double4 four = curand_normal4_double(state);
  return {shape(four.x), shape(four.y), shape(four.z), shape(four.w)};
}
