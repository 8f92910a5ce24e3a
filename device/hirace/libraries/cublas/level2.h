// Level 2 of cuBLAS: a matrix and vectors.
#pragma once

#include "arrays.h"

namespace hirace::cpu {

// `y = alpha * made + beta * y`; what y was does not count if beta is zero.
template <class Number, class Sum>
void blend(Number& y, const Number& alpha, const Sum& made, const Number& beta) {
  const Sum scaled = static_cast<Sum>(alpha) * made;
  y = static_cast<Number>(beta == Number(0) ? scaled : scaled + static_cast<Sum>(beta) * static_cast<Sum>(y));
}

// An element of a symmetric matrix of which one triangle is stored.
template <class Number>
Number symmetric(const BlasMatrix<const Number>& a, cublasFillMode_t fill, long long row, long long column) {
  const bool stored = fill == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column;
  return stored ? a(row, column) : a(column, row);
}

template <class T>
cublasStatus_t blas_gemv(const char* name, cublasHandle_t handle, cublasOperation_t operation, int m, int n, const T* alpha, const T* a, int lda,
                         const T* x, int incx, const T* beta, T* y, int incy) {
  using Number = BlasNumber<T>;
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool transposed = operation != CUBLAS_OP_N;
  const BlasOperand<Number> matrix{{numbers(a), m, n, lda}, operation};
  const BlasVector<const Number> from{numbers(x), transposed ? m : n, incx};
  const BlasVector<Number> to{numbers(y), transposed ? n : m, incy};
  if (!matrix.matrix.has_pitch() || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  if (!matrix.matrix.is_there(name) || !from.is_there(name) || !to.is_there(name)) return CUBLAS_STATUS_EXECUTION_FAILED;
  const BlasScalar<Number> by(handle, numbers(alpha)), keep(handle, numbers(beta));
  return run_blas(name, handle, LibraryWaits::for_nothing, [=] {
    const Number factor = by.get(), kept = keep.get();
    matrix.matrix.note(BlasAccess::reads);
    from.note(BlasAccess::reads);
    to.note(kept == Number(0) ? BlasAccess::writes : BlasAccess::updates);
    for (long long row = 0; row < to.count; ++row) {
      BlasSum<T> sum{0};
      for (long long i = 0; i < from.count; ++i) sum += static_cast<BlasSum<T>>(matrix(row, i)) * static_cast<BlasSum<T>>(from[i]);
      blend(to[row], factor, sum, kept);
    }
  });
}

template <bool conjugates, class T>
cublasStatus_t blas_ger(const char* name, cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a,
                        int lda) {
  using Number = BlasNumber<T>;
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const BlasMatrix<Number> matrix{numbers(a), m, n, lda};
  const BlasVector<const Number> column{numbers(x), m, incx}, row{numbers(y), n, incy};
  if (!matrix.has_pitch() || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (!matrix.is_there(name) || !column.is_there(name) || !row.is_there(name)) return CUBLAS_STATUS_EXECUTION_FAILED;
  const BlasScalar<Number> by(handle, numbers(alpha));
  return run_blas(name, handle, LibraryWaits::for_nothing, [=] {
    const Number factor = by.get();
    matrix.note(BlasAccess::updates);
    column.note(BlasAccess::reads);
    row.note(BlasAccess::reads);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) matrix(i, j) += factor * column[i] * conjugate(row[j], conjugates);
    }
  });
}

template <class T>
cublasStatus_t blas_symv(const char* name, cublasHandle_t handle, cublasFillMode_t fill, int n, const T* alpha, const T* a, int lda, const T* x,
                         int incx, const T* beta, T* y, int incy) {
  using Number = BlasNumber<T>;
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const BlasMatrix<const Number> matrix{numbers(a), n, n, lda};
  const BlasVector<const Number> from{numbers(x), n, incx};
  const BlasVector<Number> to{numbers(y), n, incy};
  if (!matrix.has_pitch() || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (!matrix.is_there(name) || !from.is_there(name) || !to.is_there(name)) return CUBLAS_STATUS_EXECUTION_FAILED;
  const BlasScalar<Number> by(handle, numbers(alpha)), keep(handle, numbers(beta));
  return run_blas(name, handle, LibraryWaits::for_nothing, [=] {
    const Number factor = by.get(), kept = keep.get();
    matrix.note(BlasAccess::reads, part_of(fill));
    from.note(BlasAccess::reads);
    to.note(kept == Number(0) ? BlasAccess::writes : BlasAccess::updates);
    for (int row = 0; row < n; ++row) {
      BlasSum<T> sum{0};
      for (int i = 0; i < n; ++i) sum += static_cast<BlasSum<T>>(symmetric(matrix, fill, row, i)) * static_cast<BlasSum<T>>(from[i]);
      blend(to[row], factor, sum, kept);
    }
  });
}

// A triangular matrix after an operation: which triangle it has then, and its elements.
template <class Number>
struct BlasTriangle {
  BlasOperand<Number> operand;
  cublasFillMode_t fill;
  cublasDiagType_t diagonal;

  bool is_lower() const { return (fill == CUBLAS_FILL_MODE_LOWER) != operand.is_transposed(); }
  Number operator()(long long row, long long column) const {
    return row == column && diagonal == CUBLAS_DIAG_UNIT ? Number(1) : operand(row, column);
  }
  // Replaces x by the solution of `this * solution = x`.
  template <class Vector>
  void solve(const Vector& x, long long n) const {
    for (long long step = 0; step < n; ++step) {
      const long long row = is_lower() ? step : n - 1 - step;
      Number rest = x(row);
      for (long long done = 0; done < step; ++done) {
        const long long column = is_lower() ? done : n - 1 - done;
        rest -= (*this)(row, column) * x(column);
      }
      x(row) = diagonal == CUBLAS_DIAG_UNIT ? rest : rest / (*this)(row, row);
    }
  }
};

template <class T>
cublasStatus_t blas_trsv(const char* name, cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t operation, cublasDiagType_t diagonal,
                         int n, const T* a, int lda, T* x, int incx) {
  using Number = BlasNumber<T>;
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const BlasTriangle<Number> triangle{{{numbers(a), n, n, lda}, operation}, fill, diagonal};
  const BlasVector<Number> vector{numbers(x), n, incx};
  if (!triangle.operand.matrix.has_pitch() || incx == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (!triangle.operand.matrix.is_there(name) || !vector.is_there(name)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return run_blas(name, handle, LibraryWaits::for_nothing, [=] {
    triangle.operand.matrix.note(BlasAccess::reads, part_of(fill));
    vector.note(BlasAccess::updates);
    triangle.solve([&](long long i) -> Number& { return vector[i]; }, n);
  });
}

}  // namespace hirace::cpu

#define HIRACE_BLAS(name, type)                                                                                                            \
  inline cublasStatus_t cublas##name##gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const type* alpha, const type* a,         \
                                           int lda, const type* x, int incx, const type* beta, type* y, int incy) {                        \
    return hirace::cpu::blas_gemv("cublas" #name "gemv", h, op, m, n, alpha, a, lda, x, incx, beta, y, incy);                              \
  }                                                                                                                                        \
  inline cublasStatus_t cublas##name##symv(cublasHandle_t h, cublasFillMode_t fill, int n, const type* alpha, const type* a, int lda,      \
                                           const type* x, int incx, const type* beta, type* y, int incy) {                                 \
    return hirace::cpu::blas_symv("cublas" #name "symv", h, fill, n, alpha, a, lda, x, incx, beta, y, incy);                               \
  }                                                                                                                                        \
  inline cublasStatus_t cublas##name##trsv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal,       \
                                           int n, const type* a, int lda, type* x, int incx) {                                             \
    return hirace::cpu::blas_trsv("cublas" #name "trsv", h, fill, op, diagonal, n, a, lda, x, incx);                                       \
  }
#define HIRACE_BLAS_GER(name, type, conjugates)                                                                                            \
  inline cublasStatus_t cublas##name(cublasHandle_t h, int m, int n, const type* alpha, const type* x, int incx, const type* y, int incy,  \
                                     type* a, int lda) {                                                                                   \
    return hirace::cpu::blas_ger<conjugates>("cublas" #name, h, m, n, alpha, x, incx, y, incy, a, lda);                                    \
  }
HIRACE_BLAS(S, float)
HIRACE_BLAS(D, double)
HIRACE_BLAS(C, float2)
HIRACE_BLAS(Z, double2)
HIRACE_BLAS_GER(Sger, float, false)
HIRACE_BLAS_GER(Dger, double, false)
HIRACE_BLAS_GER(Cgeru, float2, false)
HIRACE_BLAS_GER(Cgerc, float2, true)
HIRACE_BLAS_GER(Zgeru, double2, false)
HIRACE_BLAS_GER(Zgerc, double2, true)
#undef HIRACE_BLAS_GER
#undef HIRACE_BLAS
