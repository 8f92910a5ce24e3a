// The generators behind cuRAND's functions for the host: the next number of a sequence, whatever its generator.
//
// Pseudorandom generators fill memory as the legacy order of XORWOW does: number n is from subsequence n mod 4096.
// Sobol's sequences fill it one dimension after another.
#pragma once

#include "direction_vectors.h"
#include "host_types.h"
#include "mersenne_twister.h"

namespace hirace::cpu {


class HostGenerator {
 public:
  virtual ~HostGenerator() = default;
  // Begins at `offset` of the sequences of `seed`.
  virtual void start(unsigned long long seed, unsigned long long offset) = 0;
  // The number at index `i` of `count` numbers that are made together.
  virtual unsigned int bits(std::size_t i, std::size_t count) = 0;
  virtual unsigned long long wide_bits(std::size_t i, std::size_t count) = 0;
  virtual float uniform(std::size_t i, std::size_t count) = 0;
  virtual double uniform_double(std::size_t i, std::size_t count) = 0;
  virtual float normal(std::size_t i, std::size_t count) = 0;
  virtual double normal_double(std::size_t i, std::size_t count) = 0;
  virtual unsigned int poisson(std::size_t i, std::size_t count, double mean) = 0;
  // Later numbers follow those that were made.
  virtual void finish(std::size_t count) = 0;
};

// `Sequences` finds the state that makes a number.
template <class Sequences>
class GeneratorOf final : public HostGenerator {
 public:
  template <class... Arguments>
  explicit GeneratorOf(Arguments... arguments) : sequences_(arguments...) {}

  void start(unsigned long long seed, unsigned long long offset) override { sequences_.start(seed, offset); }
  unsigned int bits(std::size_t i, std::size_t count) override { return static_cast<unsigned int>(curand(sequences_.at(i, count))); }
  unsigned long long wide_bits(std::size_t i, std::size_t count) override { return curand(sequences_.at(i, count)); }
  float uniform(std::size_t i, std::size_t count) override { return curand_uniform(sequences_.at(i, count)); }
  double uniform_double(std::size_t i, std::size_t count) override { return curand_uniform_double(sequences_.at(i, count)); }
  float normal(std::size_t i, std::size_t count) override { return curand_normal(sequences_.at(i, count)); }
  double normal_double(std::size_t i, std::size_t count) override { return curand_normal_double(sequences_.at(i, count)); }
  unsigned int poisson(std::size_t i, std::size_t count, double mean) override { return curand_poisson(sequences_.at(i, count), mean); }
  void finish(std::size_t count) override { sequences_.finish(count); }

 private:
  Sequences sequences_;
};

template <class State, unsigned count>
class Subsequences {
 public:
  void start(unsigned long long seed, unsigned long long offset) {
    next_ = offset % count;
    for (unsigned k = 0; k < count; ++k) curand_init(seed, k, offset / count + (k < next_ ? 1 : 0), &states_[k]);
  }
  State* at(std::size_t i, std::size_t) { return &states_[(next_ + i) % count]; }
  void finish(std::size_t made) { next_ = (next_ + made) % count; }

 private:
  State states_[count];
  std::size_t next_ = 0;
};

template <class State>
class Dimensions {
 public:
  explicit Dimensions(unsigned dimensions) : states_(new State[dimensions]), dimensions_(dimensions) {}
  ~Dimensions() { delete[] states_; }
  Dimensions(const Dimensions&) = delete;
  Dimensions& operator=(const Dimensions&) = delete;

  void start(unsigned long long, unsigned long long offset) {
    using Word = SobolWord<State>;
    const auto& table = DirectionTable<Word>::all();
    for (unsigned d = 0; d < dimensions_; ++d) {
      init_sobol(table.vectors[d], is_scrambled<State> ? table.scrambles[d] : Word{0}, static_cast<Word>(offset), states_[d]);
    }
  }
  State* at(std::size_t i, std::size_t count) { return &states_[i / (count / dimensions_)]; }
  void finish(std::size_t) {}

 private:
  State* const states_;
  const unsigned dimensions_;
};

// Null for a type that does not exist.
inline HostGenerator* make_generator(curandRngType_t type, unsigned dimensions) {
  constexpr unsigned subsequences = 4096;
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW: return new GeneratorOf<Subsequences<curandStateXORWOW, subsequences>>;
    case CURAND_RNG_PSEUDO_MRG32K3A: return new GeneratorOf<Subsequences<curandStateMRG32k3a, subsequences>>;
    case CURAND_RNG_PSEUDO_PHILOX4_32_10: return new GeneratorOf<Subsequences<curandStatePhilox4_32_10, subsequences>>;
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937: return new GeneratorOf<Subsequences<MersenneTwister, 1>>;
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32: return new GeneratorOf<Dimensions<curandStateSobol32>>(dimensions);
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32: return new GeneratorOf<Dimensions<curandStateScrambledSobol32>>(dimensions);
    case CURAND_RNG_QUASI_SOBOL64: return new GeneratorOf<Dimensions<curandStateSobol64>>(dimensions);
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64: return new GeneratorOf<Dimensions<curandStateScrambledSobol64>>(dimensions);
    default: return nullptr;
  }
}

}  // namespace hirace::cpu
