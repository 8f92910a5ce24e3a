//! run -> 0
// cuFFT, against sums of exponentials.
#include <cufft.h>
#include <cufftXt.h>

#include <vector>

#include "check.h"

// NVIDIA's samples test these to find out which libraries a program uses.
#ifndef _CUFFT_H_
#error "the include guard of cuFFT is missing"
#endif

#define FFT(call) CHECK((call) == CUFFT_SUCCESS)

struct Sizes {
  int x, y, z;
  int count() const { return x * y * z; }
  int at(int i, int j, int k) const { return (i * y + j) * z + k; }
};

double input(int i) { return (i * 7 % 13) - 5.5; }

bool near(double a, double b) { return std::fabs(a - b) < 1e-3 * (1 + std::fabs(b)); }

// The element (p, q, r) of the transform of numbers `value(index)`.
template <class Value>
double2 expected(const Sizes& sizes, int p, int q, int r, int sign, const Value& value) {
  double2 sum = {0, 0};
  for (int i = 0; i < sizes.x; ++i) {
    for (int j = 0; j < sizes.y; ++j) {
      for (int k = 0; k < sizes.z; ++k) {
        const double turn = 2 * M_PI * sign *
                            (static_cast<double>(i * p % sizes.x) / sizes.x + static_cast<double>(j * q % sizes.y) / sizes.y +
                             static_cast<double>(k * r % sizes.z) / sizes.z);
        const double2 number = value(sizes.at(i, j, k));
        sum.x += number.x * std::cos(turn) - number.y * std::sin(turn);
        sum.y += number.x * std::sin(turn) + number.y * std::cos(turn);
      }
    }
  }
  return sum;
}

template <class Check>
void each(const Sizes& sizes, int last, const Check& check) {
  for (int i = 0; i < sizes.x; ++i) {
    for (int j = 0; j < sizes.y; ++j) {
      for (int k = 0; k < last; ++k) check(i, j, k);
    }
  }
}

cufftHandle plan_of(const Sizes& sizes, cufftType type) {
  cufftHandle plan = 0;
  if (sizes.x > 1) {
    FFT(cufftPlan3d(&plan, sizes.x, sizes.y, sizes.z, type));
  } else if (sizes.y > 1) {
    FFT(cufftPlan2d(&plan, sizes.y, sizes.z, type));
  } else {
    FFT(cufftPlan1d(&plan, sizes.z, type, 1));
  }
  return plan;
}

void test_complex(const Sizes& sizes) {
  auto* const in = managed<cufftComplex>(static_cast<std::size_t>(sizes.count()));
  auto* const out = managed<cufftComplex>(static_cast<std::size_t>(sizes.count()));
  const auto value = [](int i) { return double2{input(i), input(i + 4)}; };
  for (int i = 0; i < sizes.count(); ++i) in[i] = {static_cast<float>(value(i).x), static_cast<float>(value(i).y)};
  const cufftHandle plan = plan_of(sizes, CUFFT_C2C);
  for (const int direction : {CUFFT_FORWARD, CUFFT_INVERSE}) {
    FFT(cufftExecC2C(plan, in, out, direction));
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    each(sizes, sizes.z, [&](int i, int j, int k) {
      const double2 number = expected(sizes, i, j, k, direction, value);
      CHECK(near(out[sizes.at(i, j, k)].x, number.x) && near(out[sizes.at(i, j, k)].y, number.y));
    });
  }
  FFT(cufftExecC2C(plan, out, out, CUFFT_FORWARD));
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < sizes.count(); ++i) CHECK(near(out[i].x, sizes.count() * value(i).x));
  FFT(cufftDestroy(plan));
  CHECK(cufftExecC2C(plan, in, out, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
}

// There and back, in place and not.
void test_real(const Sizes& sizes) {
  const int half = sizes.z / 2 + 1, lines = sizes.x * sizes.y;
  auto* const in = managed<double>(static_cast<std::size_t>(sizes.count()));
  auto* const out = managed<cufftDoubleComplex>(static_cast<std::size_t>(lines * half));
  auto* const back = managed<double>(static_cast<std::size_t>(sizes.count()));
  for (int i = 0; i < sizes.count(); ++i) in[i] = input(i);
  const cufftHandle forward = plan_of(sizes, CUFFT_D2Z), inverse = plan_of(sizes, CUFFT_Z2D);
  FFT(cufftExecD2Z(forward, in, out));
  FFT(cufftExecZ2D(inverse, out, back));
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  each(sizes, half, [&](int i, int j, int k) {
    const double2 number = expected(sizes, i, j, k, CUFFT_FORWARD, [](int at) { return double2{input(at), 0}; });
    const cufftDoubleComplex found = out[(i * sizes.y + j) * half + k];
    CHECK(near(found.x, number.x) && near(found.y, number.y));
  });
  for (int i = 0; i < sizes.count(); ++i) CHECK(near(back[i], sizes.count() * input(i)));
  // In place, lines have room for the complex numbers.
  auto* const both = managed<double>(static_cast<std::size_t>(lines * 2 * half));
  each(sizes, sizes.z, [&](int i, int j, int k) { both[(i * sizes.y + j) * 2 * half + k] = input(sizes.at(i, j, k)); });
  FFT(cufftExecD2Z(forward, both, reinterpret_cast<cufftDoubleComplex*>(both)));
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < lines * half; ++i) CHECK(near(both[2 * i], out[i].x) && near(both[2 * i + 1], out[i].y));
  FFT(cufftDestroy(forward));
  FFT(cufftDestroy(inverse));
}

// Columns of a matrix: elements that are `count` apart.
void test_layouts() {
  int length = 8, count = 3;
  cufftHandle columns = 0, rows = 0;
  FFT(cufftPlanMany(&columns, 1, &length, &length, count, 1, &length, 1, length, CUFFT_Z2Z, count));
  FFT(cufftPlan1d(&rows, length, CUFFT_Z2Z, count));
  const auto size = static_cast<std::size_t>(length * count);
  auto* const matrix = managed<cufftDoubleComplex>(size);
  auto* const transposed = managed<cufftDoubleComplex>(size);
  auto* const out = managed<cufftDoubleComplex>(size);
  for (int i = 0; i < length * count; ++i) {
    matrix[i] = {input(i), 0};
    transposed[i % count * length + i / count] = {input(i), 0};
  }
  FFT(cufftExecZ2Z(columns, matrix, out, CUFFT_FORWARD));
  FFT(cufftExecZ2Z(rows, transposed, transposed, CUFFT_FORWARD));
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < length * count; ++i) CHECK(near(out[i].x, transposed[i].x) && near(out[i].y, transposed[i].y));
  CHECK(cufftExecC2C(rows, nullptr, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_TYPE);
  CHECK(cufftExecZ2Z(rows, matrix + 1, out, CUFFT_FORWARD) == CUFFT_EXEC_FAILED);
}

// Plans of the extension, with types of elements instead of a type of transform.
void test_extension() {
  long long length = 16;
  cufftHandle plan = 0, narrow = 0;
  std::size_t bytes = 1;
  FFT(cufftCreate(&plan));
  FFT(cufftXtMakePlanMany(plan, 1, &length, nullptr, 1, 16, CUDA_R_32F, nullptr, 1, 9, CUDA_C_32F, 2, &bytes, CUDA_C_32F));
  FFT(cufftPlan1d(&narrow, 16, CUFFT_R2C, 2));
  auto* const in = managed<float>(32);
  auto* const out = managed<cufftComplex>(18);
  auto* const same = managed<cufftComplex>(18);
  for (int i = 0; i < 32; ++i) in[i] = static_cast<float>(input(i));
  FFT(cufftXtExec(plan, in, out, CUFFT_FORWARD));
  FFT(cufftExecR2C(narrow, in, same));
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < 18; ++i) CHECK(out[i].x == same[i].x && out[i].y == same[i].y);
  CHECK(near(out[9].x, expected({1, 1, 16}, 0, 0, 0, CUFFT_FORWARD, [](int at) { return double2{input(16 + at), 0}; }).x));
  CHECK(cufftXtMakePlanMany(plan, 1, &length, nullptr, 1, 16, CUDA_R_64F, nullptr, 1, 9, CUDA_C_32F, 2, &bytes, CUDA_C_32F) == CUFFT_NOT_SUPPORTED);
  FFT(cufftDestroy(plan));
  CHECK(cufftXtExec(plan, in, out, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
}

int main() {
  for (const int length : {1, 2, 8, 30, 17, 49, 128, 38}) {
    test_complex({1, 1, length});
    test_real({1, 1, length});
  }
  for (const Sizes& sizes : {Sizes{1, 4, 6}, Sizes{1, 5, 7}, Sizes{3, 4, 5}, Sizes{2, 2, 8}}) {
    test_complex(sizes);
    test_real(sizes);
  }
  test_layouts();
  test_extension();
}
