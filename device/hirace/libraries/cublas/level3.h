// The other functions of level 3 of cuBLAS, and its extensions: matrices only.
#pragma once

#include "gemm.h"

namespace hirace::cpu {

// C = alpha * op(A) + beta * op(B). C may be A or B.
template <class T>
cublasStatus_t blas_geam(const char* name, cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, const T* alpha,
                         const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {
  using Number = BlasNumber<T>;
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const BlasOperand<Number> first = operand(numbers(a), opa, m, n, lda), second = operand(numbers(b), opb, m, n, ldb);
  const BlasMatrix<Number> out{numbers(c), m, n, ldc};
  if (!out.has_pitch()) return CUBLAS_STATUS_INVALID_VALUE;
  const BlasScalar<Number> by(handle, numbers(alpha)), other(handle, numbers(beta));
  return run_blas(name, handle, LibraryWaits::for_nothing, [=] {
    const Number factors[2] = {by.get(), other.get()};
    const BlasOperand<Number>* const operands[2] = {&first, &second};
    for (int i = 0; i < 2; ++i) {
      if (!(factors[i] == Number(0))) operands[i]->matrix.note(BlasAccess::reads);
    }
    out.note(BlasAccess::writes);
    for (int column = 0; column < n; ++column) {
      for (int row = 0; row < m; ++row) {
        Number sum(0);
        for (int i = 0; i < 2; ++i) {
          if (!(factors[i] == Number(0))) sum += factors[i] * (*operands[i])(row, column);
        }
        out(row, column) = sum;
      }
    }
  });
}

// C = alpha * A * B + beta * C, or with A on the right; A is symmetric.
template <class T>
cublasStatus_t blas_symm(const char* name, cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n, const T* alpha,
                         const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {
  using Number = BlasNumber<T>;
  using Sum = BlasSum<T>;
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int size = side == CUBLAS_SIDE_LEFT ? m : n;
  const BlasMatrix<const Number> factor{numbers(a), size, size, lda}, other{numbers(b), m, n, ldb};
  const BlasMatrix<Number> out{numbers(c), m, n, ldc};
  if (!factor.has_pitch() || !other.has_pitch() || !out.has_pitch()) return CUBLAS_STATUS_INVALID_VALUE;
  if (!factor.is_there(name) || !other.is_there(name) || !out.is_there(name)) return CUBLAS_STATUS_EXECUTION_FAILED;
  const BlasScalar<Number> by(handle, numbers(alpha)), keep(handle, numbers(beta));
  return run_blas(name, handle, LibraryWaits::for_nothing, [=] {
    const Number scale = by.get(), kept = keep.get();
    factor.note(BlasAccess::reads, part_of(fill));
    other.note(BlasAccess::reads);
    out.note(kept == Number(0) ? BlasAccess::writes : BlasAccess::updates);
    for (int column = 0; column < n; ++column) {
      for (int row = 0; row < m; ++row) {
        Sum sum{0};
        for (int i = 0; i < size; ++i) {
          const bool left = side == CUBLAS_SIDE_LEFT;
          const Number from = left ? symmetric(factor, fill, row, i) : symmetric(factor, fill, i, column);
          sum += static_cast<Sum>(from) * static_cast<Sum>(left ? other(i, column) : other(row, i));
        }
        blend(out(row, column), scale, sum, kept);
      }
    }
  });
}

// C = alpha * op(A) * op(A)^T + beta * C, in one triangle of C.
template <class T>
cublasStatus_t blas_syrk(const char* name, cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t operation, int n, int k, const T* alpha,
                         const T* a, int lda, const T* beta, T* c, int ldc) {
  using Number = BlasNumber<T>;
  using Sum = BlasSum<T>;
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const BlasOperand<Number> factor = operand(numbers(a), operation == CUBLAS_OP_N ? CUBLAS_OP_N : CUBLAS_OP_T, n, k, lda);
  const BlasMatrix<Number> out{numbers(c), n, n, ldc};
  if (!factor.matrix.has_pitch() || !out.has_pitch()) return CUBLAS_STATUS_INVALID_VALUE;
  if (!factor.matrix.is_there(name) || !out.is_there(name)) return CUBLAS_STATUS_EXECUTION_FAILED;
  const BlasScalar<Number> by(handle, numbers(alpha)), keep(handle, numbers(beta));
  return run_blas(name, handle, LibraryWaits::for_nothing, [=] {
    const Number scale = by.get(), kept = keep.get();
    const BlasPart part = part_of(fill);
    factor.matrix.note(BlasAccess::reads);
    out.note(kept == Number(0) ? BlasAccess::writes : BlasAccess::updates, part);
    for (int column = 0; column < n; ++column) {
      for (long long row = out.first_row(column, part); row < out.end_row(column, part); ++row) {
        Sum sum{0};
        for (int i = 0; i < k; ++i) sum += static_cast<Sum>(factor(row, i)) * static_cast<Sum>(factor(column, i));
        blend(out(row, column), scale, sum, kept);
      }
    }
  });
}

// Solves op(A) * X = alpha * B, or X * op(A) = alpha * B. X replaces B.
template <class T>
cublasStatus_t blas_trsm(const char* name, cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t operation,
                         cublasDiagType_t diagonal, int m, int n, const T* alpha, const T* a, int lda, T* b, int ldb) {
  using Number = BlasNumber<T>;
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int size = left ? m : n, others = left ? n : m;
  // From the right, the transposed matrix solves for the rows.
  const cublasOperation_t flipped = operation == CUBLAS_OP_N ? CUBLAS_OP_T : operation == CUBLAS_OP_T ? CUBLAS_OP_N : CUBLAS_OP_CONJG;
  const BlasTriangle<Number> triangle{{{numbers(a), size, size, lda}, left ? operation : flipped}, fill, diagonal};
  const BlasMatrix<Number> solution{numbers(b), m, n, ldb};
  if (!triangle.operand.matrix.has_pitch() || !solution.has_pitch()) return CUBLAS_STATUS_INVALID_VALUE;
  if (!triangle.operand.matrix.is_there(name) || !solution.is_there(name)) return CUBLAS_STATUS_EXECUTION_FAILED;
  const BlasScalar<Number> by(handle, numbers(alpha));
  return run_blas(name, handle, LibraryWaits::for_nothing, [=] {
    const Number scale = by.get();
    triangle.operand.matrix.note(BlasAccess::reads, part_of(fill));
    solution.note(BlasAccess::updates);
    for (int other = 0; other < others; ++other) {
      const auto element = [&](long long i) -> Number& { return left ? solution(i, other) : solution(other, i); };
      for (int i = 0; i < size; ++i) element(i) = scale * element(i);
      triangle.solve(element, size);
    }
  });
}

// C = A * diag(x), or diag(x) * A.
template <class T>
cublasStatus_t blas_dgmm(const char* name, cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* a, int lda, const T* x, int incx,
                         T* c, int ldc) {
  using Number = BlasNumber<T>;
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool left = side == CUBLAS_SIDE_LEFT;
  const BlasMatrix<const Number> from{numbers(a), m, n, lda};
  const BlasVector<const Number> factors{numbers(x), left ? m : n, incx};
  const BlasMatrix<Number> out{numbers(c), m, n, ldc};
  if (!from.has_pitch() || !out.has_pitch()) return CUBLAS_STATUS_INVALID_VALUE;
  if (!from.is_there(name) || !factors.is_there(name) || !out.is_there(name)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return run_blas(name, handle, LibraryWaits::for_nothing, [=] {
    from.note(BlasAccess::reads);
    factors.note(BlasAccess::reads);
    out.note(BlasAccess::writes);
    for (int column = 0; column < n; ++column) {
      for (int row = 0; row < m; ++row) out(row, column) = from(row, column) * factors[left ? row : column];
    }
  });
}

}  // namespace hirace::cpu

#define HIRACE_BLAS(name, type)                                                                                                            \
  inline cublasStatus_t cublas##name##geam(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n,                   \
                                           const type* alpha, const type* a, int lda, const type* beta, const type* b, int ldb, type* c,   \
                                           int ldc) {                                                                                      \
    return hirace::cpu::blas_geam("cublas" #name "geam", h, opa, opb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);                          \
  }                                                                                                                                        \
  inline cublasStatus_t cublas##name##symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,                   \
                                           const type* alpha, const type* a, int lda, const type* b, int ldb, const type* beta, type* c,   \
                                           int ldc) {                                                                                      \
    return hirace::cpu::blas_symm("cublas" #name "symm", h, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);                        \
  }                                                                                                                                        \
  inline cublasStatus_t cublas##name##syrk(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k, const type* alpha, \
                                           const type* a, int lda, const type* beta, type* c, int ldc) {                                   \
    return hirace::cpu::blas_syrk("cublas" #name "syrk", h, fill, op, n, k, alpha, a, lda, beta, c, ldc);                                  \
  }                                                                                                                                        \
  inline cublasStatus_t cublas##name##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,           \
                                           cublasDiagType_t diagonal, int m, int n, const type* alpha, const type* a, int lda, type* b,    \
                                           int ldb) {                                                                                      \
    return hirace::cpu::blas_trsm("cublas" #name "trsm", h, side, fill, op, diagonal, m, n, alpha, a, lda, b, ldb);                        \
  }                                                                                                                                        \
  inline cublasStatus_t cublas##name##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const type* a, int lda, const type* x,   \
                                           int incx, type* c, int ldc) {                                                                   \
    return hirace::cpu::blas_dgmm("cublas" #name "dgmm", h, side, m, n, a, lda, x, incx, c, ldc);                                          \
  }
HIRACE_BLAS(S, float)
HIRACE_BLAS(D, double)
HIRACE_BLAS(C, float2)
HIRACE_BLAS(Z, double2)
#undef HIRACE_BLAS
