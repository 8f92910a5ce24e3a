// Direction vectors of Sobol's sequences, for as many dimensions as cuRAND has.
//
// A dimension is a primitive polynomial over GF(2) and odd initial numbers (Bratley and Fox, "Algorithm 659",
// 1988). cuRAND has the initial numbers that Joe and Kuo found by a search; here they come from a hash, so the
// sequences differ, and points of two dimensions may be distributed less evenly.
#pragma once

#include <cstdint>

namespace hirace::cpu {

constexpr unsigned sobol_dimensions = 20000;

inline std::uint64_t sobol_hash(std::uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

// Polynomials over GF(2): bit i is the coefficient of x^i.
class PrimitivePolynomials {
 public:
  // The next one, by degree and then by value; the first one is x + 1.
  std::uint32_t next() {
    do {
      polynomial_ += 2;
    } while (!is_primitive());
    return polynomial_;
  }
  static unsigned degree_of(std::uint32_t polynomial) { return 31u - static_cast<unsigned>(__builtin_clz(polynomial)); }

 private:
  // x generates all powers: its order is 2^degree - 1, and no proper divisor of that.
  bool is_primitive() const {
    const unsigned degree = degree_of(polynomial_);
    const std::uint32_t order = (std::uint32_t{1} << degree) - 1;
    if (power_of_x(order, degree) != 1) return false;
    std::uint32_t rest = order;
    for (std::uint32_t prime = 2; rest > 1; ++prime) {
      if (prime * prime > rest) prime = rest;
      if (rest % prime != 0) continue;
      while (rest % prime == 0) rest /= prime;
      if (order != prime && power_of_x(order / prime, degree) == 1) return false;
    }
    return true;
  }
  std::uint32_t power_of_x(std::uint32_t exponent, unsigned degree) const {
    std::uint32_t result = 1;
    for (unsigned bit = 32; bit-- > 0;) {
      result = product(result, result, degree);
      if ((exponent >> bit & 1) != 0) result = product(result, degree == 1 ? 1 : 2, degree);
    }
    return result;
  }
  std::uint32_t product(std::uint32_t a, std::uint32_t b, unsigned degree) const {
    std::uint32_t sum = 0;
    for (; b != 0; b >>= 1) {
      if ((b & 1) != 0) sum ^= a;
      a <<= 1;
      if ((a >> degree & 1) != 0) a ^= polynomial_;
    }
    return sum;
  }

  std::uint32_t polynomial_ = 1;
};

// The vectors of a dimension, counted from 0, which has no polynomial.
template <class Word>
void make_directions(Word* vectors, unsigned dimension, std::uint32_t polynomial) {
  constexpr unsigned bits = 8 * sizeof(Word);
  const unsigned degree = dimension == 0 ? bits : PrimitivePolynomials::degree_of(polynomial);
  for (unsigned j = 0; j < bits; ++j) {
    if (j < degree) {
      const std::uint64_t initial = dimension == 0 || j == 0 ? 1 : sobol_hash(std::uint64_t{dimension} << 32 | j) | 1;
      vectors[j] = static_cast<Word>(initial << (64 - (j + 1)) >> (64 - bits));
    } else {
      vectors[j] = vectors[j - degree] ^ vectors[j - degree] >> degree;
      for (unsigned i = 1; i < degree; ++i) {
        if ((polynomial >> (degree - i) & 1) != 0) vectors[j] ^= vectors[j - i];
      }
    }
  }
}

template <class Word>
struct DirectionTable {
  static constexpr unsigned bits = 8 * sizeof(Word);
  Word vectors[sobol_dimensions][bits];
  Word scrambles[sobol_dimensions];

  // All dimensions, computed at the first call.
  static DirectionTable& all() {
    static DirectionTable* const table = new DirectionTable;
    return *table;
  }

 private:
  DirectionTable() {
    PrimitivePolynomials polynomials;
    for (unsigned dimension = 0; dimension < sobol_dimensions; ++dimension) {
      make_directions(vectors[dimension], dimension, dimension == 0 ? 0 : polynomials.next());
      scrambles[dimension] = static_cast<Word>(sobol_hash(~std::uint64_t{dimension}));
    }
  }
};

}  // namespace hirace::cpu
