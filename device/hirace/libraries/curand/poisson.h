// Poisson-distributed numbers, and the distributions that the host creates for curand_discrete().
//
// Up to a mean of 64, and from 4000 on, pseudorandom generators take as many numbers as cuRAND's. Between the
// two, and for Sobol's sequences and discrete distributions, the inverse of the distribution is computed exactly.
#pragma once

#include "normal.h"

struct curandDiscreteDistribution_st {
  double lambda;  // of a Poisson distribution: there is no other kind
};
using curandDiscreteDistribution_t = curandDiscreteDistribution_st*;

namespace hirace::cpu {

// Knuth, The Art of Computer Programming, 3.4.1: how many factors bring the product below exp(-mean).
template <class State>
unsigned int poisson_of_product(State& state, float mean) {
  unsigned int factors = 0;
  for (float product = ::expf(mean); ; ++factors) {
    product *= curand_uniform(&state);
    if (!(product > 1.0f)) return factors;
  }
}

constexpr double poisson_is_normal = 4000, poisson_is_product = 64;

inline unsigned int poisson_of_normal(double normal, double mean) { return static_cast<unsigned int>(::sqrt(mean) * normal + mean + 0.5); }

// The smallest number that the distribution does not exceed with probability `share`. Sums the probabilities
// from the most likely number on, because those of the first ones may underflow.
inline unsigned int poisson_quantile(double share, double mean) {
  if (!(mean > 0)) return 0;
  const double mode = ::floor(mean), likeliest = ::exp(mode * ::log(mean) - mean - ::lgamma(mode + 1));
  double number = mode, probability = likeliest, sum = 0;
  for (double below = mode, part = likeliest; below >= 0 && part > 1e-18 * likeliest; part *= below / mean, --below) sum += part;
  while (sum < share && probability > 1e-18 * likeliest) {
    probability *= mean / ++number;
    sum += probability;
  }
  while (number > 0 && sum - probability >= share) {
    sum -= probability;
    probability *= number-- / mean;
  }
  return static_cast<unsigned int>(number);
}

}  // namespace hirace::cpu

template <class State>
hirace::cpu::for_generator<State, unsigned int> curand_poisson(State* state, double lambda) {
  if constexpr (hirace::cpu::has_spare_numbers<State>) {
    if (lambda < hirace::cpu::poisson_is_product) return hirace::cpu::poisson_of_product(*state, static_cast<float>(lambda));
    if (lambda > hirace::cpu::poisson_is_normal) return hirace::cpu::poisson_of_normal(curand_normal_double(state), lambda);
  }
  return hirace::cpu::poisson_quantile(curand_uniform_double(state), lambda);
}

inline uint4 curand_poisson4(curandStatePhilox4_32_10* state, double lambda) {
  if (lambda > hirace::cpu::poisson_is_normal) {
    const double4 normal = curand_normal4_double(state);
    return {hirace::cpu::poisson_of_normal(normal.x, lambda), hirace::cpu::poisson_of_normal(normal.y, lambda),
            hirace::cpu::poisson_of_normal(normal.z, lambda), hirace::cpu::poisson_of_normal(normal.w, lambda)};
  }
  unsigned int numbers[4];
  for (unsigned int& number : numbers) number = curand_poisson(state, lambda);
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}

template <class State>
hirace::cpu::for_generator<State, unsigned int> curand_discrete(State* state, curandDiscreteDistribution_t distribution) {
  return hirace::cpu::poisson_quantile(curand_uniform_double(state), distribution->lambda);
}
inline uint4 curand_discrete4(curandStatePhilox4_32_10* state, curandDiscreteDistribution_t distribution) {
  unsigned int numbers[4];
  for (unsigned int& number : numbers) number = curand_discrete(state, distribution);
  return {numbers[0], numbers[1], numbers[2], numbers[3]};
}
