// Fourier transforms of complex arrays of up to three dimensions, without scaling.
#pragma once

#include "../../cuda/cmath.h"
#include "../cublas/numbers.h"

namespace hirace::cpu {

using FftNumber = BlasComplex<double>;

// Transforms of one length by the method of Cooley and Tukey, for any factors.
class FourierLine {
 public:
  // `sign`: of the exponent.
  FourierLine(long long length, int sign) : length_(length), roots_(new FftNumber[static_cast<std::size_t>(length)]) {
    for (long long k = 0; k < length; ++k) {
      const double turn = 2.0 * static_cast<double>(k) / static_cast<double>(length);
      roots_[k] = {cospi(turn), sign * sinpi(turn)};
    }
  }
  ~FourierLine() { delete[] roots_; }
  FourierLine(const FourierLine&) = delete;
  FourierLine& operator=(const FourierLine&) = delete;

  void transform(const FftNumber* in, FftNumber* out) const { part(in, 1, out, length_); }

 private:
  static long long smallest_factor(long long n) {
    for (long long factor = 2; factor * factor <= n; ++factor) {
      if (n % factor == 0) return factor;
    }
    return n;
  }

  // Of every `step`-th number: `n` of them.
  void part(const FftNumber* in, long long step, FftNumber* out, long long n) const {
    if (n == 1) {
      *out = *in;
      return;
    }
    const long long factor = smallest_factor(n), rest = n / factor;
    for (long long r = 0; r < factor; ++r) part(in + r * step, step * factor, out + r * rest, rest);
    FftNumber few[16];
    FftNumber* const column = factor <= 16 ? few : new FftNumber[static_cast<std::size_t>(factor)];
    for (long long k = 0; k < rest; ++k) {
      for (long long r = 0; r < factor; ++r) column[r] = out[r * rest + k] * roots_[r * k * step];
      for (long long q = 0; q < factor; ++q) {
        FftNumber sum(0);
        for (long long r = 0; r < factor; ++r) sum += column[r] * roots_[r * q % factor * (length_ / factor)];
        out[q * rest + k] = sum;
      }
    }
    if (column != few) delete[] column;
  }

  const long long length_;
  FftNumber* const roots_;
};

// The sizes of an array; dimensions that it lacks have the size 1, and come first.
struct FftShape {
  long long sizes[3];
  long long elements() const { return sizes[0] * sizes[1] * sizes[2]; }
};

// Transforms all dimensions of a dense array.
inline void transform_array(FftNumber* array, const FftShape& shape, int sign) {
  for (int dimension = 0; dimension < 3; ++dimension) {
    const long long length = shape.sizes[dimension];
    if (length == 1) continue;
    long long step = 1;
    for (int inner = dimension + 1; inner < 3; ++inner) step *= shape.sizes[inner];
    const FourierLine line(length, sign);
    auto* const buffer = new FftNumber[static_cast<std::size_t>(2 * length)];
    for (long long i = 0; i < shape.elements() / length; ++i) {
      FftNumber* const first = array + i / step * step * length + i % step;
      for (long long k = 0; k < length; ++k) buffer[k] = first[k * step];
      line.transform(buffer, buffer + length);
      for (long long k = 0; k < length; ++k) first[k * step] = buffer[length + k];
    }
    delete[] buffer;
  }
}

}  // namespace hirace::cpu
