// thrust's random numbers: engines that are those of the standard library, and distributions. Their values differ from those of the GPU library.
#pragma once

#include <iostream>  // programs that include this header print without including it
#include <cstdint>
#include <random>
#include <type_traits>

#include "detail/config.h"

namespace thrust {

namespace random {

// As std::linear_congruential_engine, and discard() takes logarithmic time: each thread of a kernel may skip
// the numbers of all threads before it.
template <class UInt, UInt Factor, UInt Increment, UInt Modulus>
class linear_congruential_engine {
 public:
  using result_type = UInt;
  static constexpr UInt multiplier = Factor, increment = Increment, modulus = Modulus;
  static constexpr UInt default_seed = 1;

  explicit linear_congruential_engine(UInt value = default_seed) { seed(value); }
  void seed(UInt value = default_seed) {
    state_ = reduced(value);
    if (reduced(Increment) == 0 && state_ == 0) state_ = 1;
  }
  UInt operator()() { return state_ = Step{Factor, Increment}(state_); }
  void discard(unsigned long long count) {
    // The step of twice as many numbers is the step after itself.
    for (Step step{Factor, Increment}; count != 0; count /= 2, step = step.twice()) {
      if (count % 2 != 0) state_ = step(state_);
    }
  }
  static constexpr UInt min() { return Increment == 0 ? 1 : 0; }
  static constexpr UInt max() { return Modulus - 1; }
  friend bool operator==(const linear_congruential_engine& left, const linear_congruential_engine& right) { return left.state_ == right.state_; }
  friend bool operator!=(const linear_congruential_engine& left, const linear_congruential_engine& right) { return !(left == right); }

 private:
  // What holds a product.
  static constexpr bool is_small = Modulus != 0 && Modulus <= (std::uint64_t{1} << 32);
  using Wide = std::conditional_t<is_small, std::uint64_t, unsigned __int128>;

  // A modulus of zero is that of the type.
  static constexpr UInt reduced(Wide value) { return static_cast<UInt>(Modulus == 0 ? value : value % Modulus); }

  struct Step {
    UInt factor, increment;

    constexpr UInt operator()(UInt state) const { return reduced(static_cast<Wide>(factor) * state + increment); }
    constexpr Step twice() const { return {reduced(static_cast<Wide>(factor) * factor), (*this)(increment)}; }
  };

  UInt state_;
};

using minstd_rand = linear_congruential_engine<std::uint_fast32_t, 48271, 0, 2147483647>;
using minstd_rand0 = linear_congruential_engine<std::uint_fast32_t, 16807, 0, 2147483647>;
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
using random::linear_congruential_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::ranlux24;
using random::ranlux48;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}  // namespace thrust
