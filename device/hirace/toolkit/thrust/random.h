// thrust's random numbers: engines of the standard library, which are the same generators, and
// distributions. Their values differ from those of the GPU library.
#pragma once

#include <iostream>  // programs that include this header print without including it
#include <random>

#include "detail/config.h"

namespace thrust {

namespace random {

using std::linear_congruential_engine;
using std::minstd_rand;
using std::minstd_rand0;
using std::ranlux24;
using std::ranlux24_base;
using std::ranlux48;
using std::ranlux48_base;
using default_random_engine = minstd_rand;

using std::normal_distribution;

// Stateless: the value depends on the engine alone.
template <class Int = int>
class uniform_int_distribution {
 public:
  using result_type = Int;
  explicit uniform_int_distribution(Int a = 0, Int b = std::numeric_limits<Int>::max()) : a_(a), b_(b) {}
  template <class Engine>
  Int operator()(Engine& engine) const {
    return static_cast<Int>(std::uniform_int_distribution<long long>(a_, b_)(engine));
  }
  Int a() const { return a_; }
  Int b() const { return b_; }
  void reset() {}

 private:
  Int a_, b_;
};
template <class Real = double>
class uniform_real_distribution {
 public:
  using result_type = Real;
  explicit uniform_real_distribution(Real a = 0, Real b = 1) : a_(a), b_(b) {}
  template <class Engine>
  Real operator()(Engine& engine) const {
    const Real range = static_cast<Real>(Engine::max() - Engine::min()) + 1;
    const Real unit = static_cast<Real>(engine() - Engine::min()) / range;
    return a_ + (b_ - a_) * (unit < 1 ? unit : 0);
  }
  Real a() const { return a_; }
  Real b() const { return b_; }
  void reset() {}

 private:
  Real a_, b_;
};

}  // namespace random

using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::ranlux24;
using random::ranlux48;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}  // namespace thrust
