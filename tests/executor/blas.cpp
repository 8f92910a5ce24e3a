//! run -> 0
// cuBLAS, against plain loops.
#include <cublas_v2.h>

#include <vector>

#include "check.h"

// NVIDIA's samples test these to find out which libraries a program uses.
#ifndef CUBLAS_API_H_
#error "the include guard of cuBLAS is missing"
#endif

cublasHandle_t handle = nullptr;

bool near(double a, double b) { return std::fabs(a - b) <= 1e-4 * std::fmax(1.0, std::fabs(b)); }
bool near(const float2& a, const float2& b) { return near(a.x, b.x) && near(a.y, b.y); }

template <class T>
T value_of(unsigned i) {
  return static_cast<T>(static_cast<int>(i * 7 % 13) - 5);
}
template <>
float2 value_of<float2>(unsigned i) {
  return {value_of<float>(i), value_of<float>(i + 3)};
}

template <class T>
T* filled(std::size_t count, unsigned first) {
  T* const array = managed<T>(count);
  for (unsigned i = 0; i < count; ++i) array[i] = value_of<T>(first + i);
  return array;
}

double times(double a, double b) { return a * b; }
float2 times(const float2& a, const float2& b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
float2 operator+(const float2& a, const float2& b) { return {a.x + b.x, a.y + b.y}; }
float2 conjugated(const float2& a) { return {a.x, -a.y}; }
double conjugated(double a) { return a; }

void wait() { CHECK(cudaDeviceSynchronize() == cudaSuccess); }
#define BLAS(call) CHECK((call) == CUBLAS_STATUS_SUCCESS)

void test_vectors() {
  constexpr int n = 50;
  float* const x = filled<float>(2 * n, 0);
  double* const y = filled<double>(n, 4);
  double* const z = filled<double>(n, 9);
  const float half = 0.5f;
  BLAS(cublasSscal(handle, n, &half, x, 2));
  wait();
  for (unsigned i = 0; i < 2 * n; ++i) CHECK(x[i] == value_of<float>(i) * (i % 2 == 0 ? 0.5f : 1.0f));
  const double two = 2;
  BLAS(cublasDaxpy(handle, n, &two, y, 1, z, -1));
  wait();
  for (unsigned i = 0; i < n; ++i) CHECK(z[n - 1 - i] == value_of<double>(9 + n - 1 - i) + 2 * value_of<double>(4 + i));
  double dot = 0, norm = 0, sum = 0, squares = 0, magnitudes = 0, products = 0;
  int largest = 0;
  BLAS(cublasDdot(handle, n, y, 1, z, 1, &dot));
  BLAS(cublasDnrm2(handle, n, y, 1, &norm));
  BLAS(cublasDasum(handle, n, y, 1, &sum));
  BLAS(cublasIdamax(handle, n, y, 1, &largest));
  int first_largest = 0;
  for (int i = 0; i < n; ++i) {
    products += y[i] * z[i];
    squares += y[i] * y[i];
    magnitudes += std::fabs(y[i]);
    if (std::fabs(y[i]) > std::fabs(y[first_largest])) first_largest = i;
  }
  CHECK(near(dot, products) && near(norm, std::sqrt(squares)) && near(sum, magnitudes) && largest == first_largest + 1);
  // A result on the device.
  double* const result = managed<double>(1);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  BLAS(cublasDdot(handle, n, y, 1, z, 1, result));
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  wait();
  CHECK(*result == dot);
  float2* const c = filled<float2>(n, 2);
  float2 complex_dot{}, expected{};
  BLAS(cublasCdotc(handle, n, c, 1, c + 1 - 1, 1, &complex_dot));
  for (int i = 0; i < n; ++i) expected = expected + times(conjugated(c[i]), c[i]);
  CHECK(near(complex_dot, expected) && near(complex_dot.y, 0));
}

template <class T>
T element(const T* a, cublasOperation_t op, int row, int column, int pitch) {
  const T number = op == CUBLAS_OP_N ? a[row + column * pitch] : a[column + row * pitch];
  return op == CUBLAS_OP_C ? static_cast<T>(conjugated(number)) : number;
}

template <class T>
using Gemm = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const T*, const T*, int, const T*, int,
                                const T*, T*, int);

template <class T>
void test_gemm(Gemm<T> gemm, T alpha, T beta) {
  constexpr int m = 7, n = 5, k = 9, pitch = 11;
  for (const cublasOperation_t opa : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    for (const cublasOperation_t opb : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
      const T* const a = filled<T>(pitch * pitch, 1);
      const T* const b = filled<T>(pitch * pitch, 2);
      T* const c = filled<T>(pitch * pitch, 3);
      BLAS(gemm(handle, opa, opb, m, n, k, &alpha, a, pitch, b, pitch, &beta, c, pitch));
      wait();
      for (int column = 0; column < n; ++column) {
        for (int row = 0; row < m; ++row) {
          T sum{};
          for (int i = 0; i < k; ++i) sum = sum + times(element(a, opa, row, i, pitch), element(b, opb, i, column, pitch));
          const auto at = static_cast<unsigned>(row + column * pitch);
          CHECK(near(c[at], times(alpha, sum) + times(beta, value_of<T>(3 + at))));
        }
      }
      CHECK(near(c[m], value_of<T>(3 + m)));
    }
  }
  T* const c = filled<T>(4, 0);
  CHECK(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &alpha, c, 1, c, 2, &beta, c, 2) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 9000, &alpha, c, 2, c, 9000, &beta, c, 2) == CUBLAS_STATUS_EXECUTION_FAILED);
}

void test_batches() {
  constexpr int n = 4, count = 3, size = n * n;
  const float one = 1, zero = 0;
  const float* const a = filled<float>(size * count, 1);
  const float* const b = filled<float>(size * count, 2);
  float* const c = managed<float>(size * count);
  float* const d = managed<float>(size * count);
  BLAS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a, n, size, b, n, size, &zero, c, n, size, count));
  const float** const as = managed<const float*>(count);
  const float** const bs = managed<const float*>(count);
  float** const ds = managed<float*>(count);
  for (int i = 0; i < count; ++i) as[i] = a + i * size, bs[i] = b + i * size, ds[i] = d + i * size;
  BLAS(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, as, n, bs, n, &zero, ds, n, count));
  wait();
  for (int i = 0; i < size * count; ++i) CHECK(c[i] == d[i]);
  float first = 0;
  for (int i = 0; i < n; ++i) first += a[size + i * n] * b[size + i * n];
  CHECK(near(c[size], first));
  // Half precision, with sums of floats.
  __half* const halves = managed<__half>(size);
  for (unsigned i = 0; i < size; ++i) halves[i] = __half(value_of<float>(i));
  BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, halves, CUDA_R_16F, n, halves, CUDA_R_16F, n, &zero, c, CUDA_R_32F, n,
                    CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  wait();
  float corner = 0;
  for (unsigned i = 0; i < n; ++i) corner += value_of<float>(i * n) * value_of<float>(i);
  CHECK(c[0] == corner);
}

void test_level2() {
  constexpr int m = 6, n = 4;
  const double alpha = 2, beta = -1;
  const double* const a = filled<double>(m * n, 1);
  for (const cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
    const double* const x = filled<double>(m, 2);
    double* const y = filled<double>(m, 3);
    BLAS(cublasDgemv(handle, op, m, n, &alpha, a, m, x, 1, &beta, y, 1));
    wait();
    for (int row = 0; row < (op == CUBLAS_OP_N ? m : n); ++row) {
      double sum = 0;
      for (int i = 0; i < (op == CUBLAS_OP_N ? n : m); ++i) sum += element(a, op, row, i, m) * x[i];
      CHECK(near(y[row], alpha * sum - value_of<double>(3 + static_cast<unsigned>(row))));
    }
  }
  double* const outer = filled<double>(m * n, 5);
  const double* const x = filled<double>(m, 6);
  BLAS(cublasDger(handle, m, n, &alpha, x, 1, x, 1, outer, m));
  wait();
  CHECK(near(outer[2 + 3 * m], value_of<double>(5 + 2 + 3 * m) + alpha * x[2] * x[3]));
}

// Solutions are tested by multiplying back.
void test_triangles() {
  constexpr int n = 5;
  const double one = 1, zero = 0;
  double* const a = managed<double>(n * n);
  double* const triangle = managed<double>(n * n);
  double* const product = managed<double>(n * n);
  for (unsigned i = 0; i < n * n; ++i) a[i] = value_of<double>(i) + (i % (n + 1) == 0 ? 20 : 0);
  for (const cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
    for (const cublasFillMode_t fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
      for (const cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        for (int i = 0; i < n * n; ++i) {
          const bool stored = fill == CUBLAS_FILL_MODE_LOWER ? i % n >= i / n : i % n <= i / n;
          triangle[i] = stored ? a[i] : 0;
        }
        double* const x = filled<double>(n * n, 3);
        BLAS(cublasDtrsm(handle, side, fill, op, CUBLAS_DIAG_NON_UNIT, n, n, &one, a, n, x, n));
        const bool left = side == CUBLAS_SIDE_LEFT;
        BLAS(cublasDgemm(handle, left ? op : CUBLAS_OP_N, left ? CUBLAS_OP_N : op, n, n, n, &one, left ? triangle : x, n, left ? x : triangle, n,
                         &zero, product, n));
        wait();
        for (unsigned i = 0; i < n * n; ++i) CHECK(near(product[i], value_of<double>(3 + i)));
      }
    }
  }
  double* const sums = managed<double>(n * n);
  BLAS(cublasDsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, n, n, &one, a, n, &zero, sums, n));
  BLAS(cublasDgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &one, a, n, a, n, &zero, product, n));
  wait();
  for (int i = 0; i < n * n; ++i) CHECK(near(sums[i], i % n <= i / n ? product[i] : 0));
  // The transposed matrix.
  BLAS(cublasDgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &one, a, n, &zero, a, n, product, n));
  wait();
  for (int i = 0; i < n * n; ++i) CHECK(product[i] == a[i / n + i % n * n]);
}

void test_copies() {
  constexpr int n = 6;
  double host[n * n], back[n * n] = {};
  for (unsigned i = 0; i < n * n; ++i) host[i] = value_of<double>(i);
  double* device = nullptr;
  CHECK(cudaMalloc(&device, sizeof host) == cudaSuccess);
  BLAS(cublasSetMatrix(n, n, sizeof(double), host, n, device, n));
  BLAS(cublasGetMatrix(n, n, sizeof(double), device, n, back, n));
  for (int i = 0; i < n * n; ++i) CHECK(back[i] == host[i]);
  BLAS(cublasGetVector(n, sizeof(double), device, n, back, 1));
  for (int i = 0; i < n; ++i) CHECK(back[i] == host[i * n]);
}

int main() {
  CHECK(cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, nullptr, nullptr, 1, nullptr, 1, nullptr, nullptr, 1) ==
        CUBLAS_STATUS_NOT_INITIALIZED);
  BLAS(cublasCreate(&handle));
  test_vectors();
  test_gemm<float>(cublasSgemm, 2.0f, 0.5f);
  test_gemm<double>(cublasDgemm, 1.0, 0.0);
  test_gemm<float2>(cublasCgemm, {1.0f, 2.0f}, {0.5f, -1.0f});
  test_batches();
  test_level2();
  test_triangles();
  test_copies();
  BLAS(cublasDestroy(handle));
}
