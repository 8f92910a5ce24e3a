// Level 1 of cuBLAS: vectors.
#pragma once

#include "arrays.h"

namespace hirace::cpu {

// Calls `work(x, y)` in the stream for two vectors, of which the second one is accessed as `access` says.
template <class T, class Work>
cublasStatus_t blas_with_vectors(const char* name, cublasHandle_t handle, int n, const T* x, int incx, BlasAccess x_access, T* y, int incy,
                                 BlasAccess access, const Work& work) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const BlasVector<BlasNumber<T>> first{numbers(const_cast<T*>(x)), n, incx}, second{numbers(y), n, incy};
  if (!first.is_there(name) || !second.is_there(name)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return run_blas(name, handle, LibraryWaits::for_nothing, [=] {
    first.note(x_access);
    second.note(access);
    work(first, second);
  });
}

template <class T>
cublasStatus_t blas_axpy(const char* name, cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y, int incy) {
  const BlasScalar<BlasNumber<T>> factor(handle, numbers(alpha));
  return blas_with_vectors(name, handle, n, x, incx, BlasAccess::reads, y, incy, BlasAccess::updates, [=](const auto& from, const auto& to) {
    const auto by = factor.get();
    for (int i = 0; i < n; ++i) to[i] += by * from[i];
  });
}
template <class T>
cublasStatus_t blas_copy(const char* name, cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {
  return blas_with_vectors(name, handle, n, x, incx, BlasAccess::reads, y, incy, BlasAccess::writes, [=](const auto& from, const auto& to) {
    for (int i = 0; i < n; ++i) to[i] = from[i];
  });
}
template <class T>
cublasStatus_t blas_swap(const char* name, cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {
  return blas_with_vectors(name, handle, n, x, incx, BlasAccess::updates, y, incy, BlasAccess::updates, [=](const auto& a, const auto& b) {
    for (int i = 0; i < n; ++i) {
      const auto old = a[i];
      a[i] = b[i];
      b[i] = old;
    }
  });
}
template <class T>
cublasStatus_t blas_rot(const char* name, cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* c, const T* s) {
  const BlasScalar<T> cosine(handle, c), sine(handle, s);
  return blas_with_vectors(name, handle, n, x, incx, BlasAccess::updates, y, incy, BlasAccess::updates, [=](const auto& a, const auto& b) {
    const T cos = cosine.get(), sin = sine.get();
    for (int i = 0; i < n; ++i) {
      const T old = a[i];
      a[i] = cos * old + sin * b[i];
      b[i] = cos * b[i] - sin * old;
    }
  });
}

template <class T, class Factor>
cublasStatus_t blas_scal(const char* name, cublasHandle_t handle, int n, const Factor* alpha, T* x, int incx) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const BlasVector<BlasNumber<T>> vector{numbers(x), n, incx};
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  if (!vector.is_there(name)) return CUBLAS_STATUS_EXECUTION_FAILED;
  const BlasScalar<BlasNumber<Factor>> factor(handle, numbers(alpha));
  return run_blas(name, handle, LibraryWaits::for_nothing, [=] {
    vector.note(BlasAccess::updates);
    const BlasNumber<T> by(factor.get());
    for (int i = 0; i < n; ++i) vector[i] = by * vector[i];
  });
}

// A result of one or two vectors; zero for empty ones.
template <class T, class Result, class Compute>
cublasStatus_t blas_reduce(const char* name, cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy, Result* result,
                           const Compute& compute) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int count = n > 0 ? n : 0;
  const BlasVector<const BlasNumber<T>> first{numbers(x), count, incx}, second{numbers(y), count, incy};
  if (!first.is_there(name) || !second.is_there(name)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return run_blas_for(name, handle, numbers(result), [=] {
    first.note(BlasAccess::reads);
    if (y != x) second.note(BlasAccess::reads);
    return static_cast<BlasNumber<Result>>(compute(first, second));
  });
}

template <bool conjugates, class T>
cublasStatus_t blas_dot(const char* name, cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy, T* result) {
  return blas_reduce(name, handle, n, x, incx, y, incy, result, [](const auto& a, const auto& b) {
    BlasSum<T> sum{0};
    for (long long i = 0; i < a.count; ++i) sum += static_cast<BlasSum<T>>(conjugate(a[i], conjugates)) * static_cast<BlasSum<T>>(b[i]);
    return sum;
  });
}
template <class T>
cublasStatus_t blas_nrm2(const char* name, cublasHandle_t handle, int n, const T* x, int incx, BlasReal<T>* result) {
  return blas_reduce(name, handle, n, x, incx, x, incx, result, [](const auto& a, const auto&) {
    double norm = 0;
    for (long long i = 0; i < a.count; ++i) norm = ::hypot(norm, magnitude(a[i]));
    return norm;
  });
}
template <class T>
cublasStatus_t blas_asum(const char* name, cublasHandle_t handle, int n, const T* x, int incx, BlasReal<T>* result) {
  return blas_reduce(name, handle, n, x, incx, x, incx, result, [](const auto& a, const auto&) {
    double sum = 0;
    for (long long i = 0; i < a.count; ++i) sum += taxicab_magnitude(a[i]);
    return sum;
  });
}
// The position of the first extreme element, from 1 on.
template <bool largest, class T>
cublasStatus_t blas_extreme(const char* name, cublasHandle_t handle, int n, const T* x, int incx, int* result) {
  return blas_reduce(name, handle, n, x, incx, x, incx, result, [](const auto& a, const auto&) {
    long long best = 0;
    for (long long i = 1; i < a.count; ++i) {
      const double here = taxicab_magnitude(a[i]), there = taxicab_magnitude(a[best]);
      if (largest ? here > there : here < there) best = i;
    }
    return static_cast<int>(a.count == 0 ? 0 : best + 1);
  });
}

}  // namespace hirace::cpu

#define HIRACE_BLAS(name, small, type)                                                                                                         \
  inline cublasStatus_t cublas##name##axpy(cublasHandle_t h, int n, const type* alpha, const type* x, int incx, type* y, int incy) {    \
    return hirace::cpu::blas_axpy("cublas" #name "axpy", h, n, alpha, x, incx, y, incy);                                                \
  }                                                                                                                                     \
  inline cublasStatus_t cublas##name##copy(cublasHandle_t h, int n, const type* x, int incx, type* y, int incy) {                       \
    return hirace::cpu::blas_copy("cublas" #name "copy", h, n, x, incx, y, incy);                                                       \
  }                                                                                                                                     \
  inline cublasStatus_t cublas##name##swap(cublasHandle_t h, int n, type* x, int incx, type* y, int incy) {                             \
    return hirace::cpu::blas_swap("cublas" #name "swap", h, n, x, incx, y, incy);                                                       \
  }                                                                                                                                     \
  inline cublasStatus_t cublas##name##scal(cublasHandle_t h, int n, const type* alpha, type* x, int incx) {                             \
    return hirace::cpu::blas_scal("cublas" #name "scal", h, n, alpha, x, incx);                                                         \
  }                                                                                                                                     \
  inline cublasStatus_t cublasI##small##amax(cublasHandle_t h, int n, const type* x, int incx, int* result) {                            \
    return hirace::cpu::blas_extreme<true>("cublasI" #small "amax", h, n, x, incx, result);                                              \
  }                                                                                                                                     \
  inline cublasStatus_t cublasI##small##amin(cublasHandle_t h, int n, const type* x, int incx, int* result) {                            \
    return hirace::cpu::blas_extreme<false>("cublasI" #small "amin", h, n, x, incx, result);                                             \
  }
#define HIRACE_BLAS_SUMS(name, type, real)                                                                             \
  inline cublasStatus_t cublas##name##nrm2(cublasHandle_t h, int n, const type* x, int incx, real* result) {           \
    return hirace::cpu::blas_nrm2("cublas" #name "nrm2", h, n, x, incx, result);                                       \
  }                                                                                                                    \
  inline cublasStatus_t cublas##name##asum(cublasHandle_t h, int n, const type* x, int incx, real* result) {           \
    return hirace::cpu::blas_asum("cublas" #name "asum", h, n, x, incx, result);                                       \
  }
#define HIRACE_BLAS_DOT(name, type, conjugates)                                                                                          \
  inline cublasStatus_t cublas##name(cublasHandle_t h, int n, const type* x, int incx, const type* y, int incy, type* result) {          \
    return hirace::cpu::blas_dot<conjugates>("cublas" #name, h, n, x, incx, y, incy, result);                                            \
  }
#define HIRACE_BLAS_ROT(name, type)                                                                                                      \
  inline cublasStatus_t cublas##name(cublasHandle_t h, int n, type* x, int incx, type* y, int incy, const type* c, const type* s) {      \
    return hirace::cpu::blas_rot("cublas" #name, h, n, x, incx, y, incy, c, s);                                                          \
  }
HIRACE_BLAS(S, s, float)
HIRACE_BLAS(D, d, double)
HIRACE_BLAS(C, c, float2)
HIRACE_BLAS(Z, z, double2)
HIRACE_BLAS_SUMS(S, float, float)
HIRACE_BLAS_SUMS(D, double, double)
HIRACE_BLAS_SUMS(Sc, float2, float)
HIRACE_BLAS_SUMS(Dz, double2, double)
HIRACE_BLAS_DOT(Sdot, float, false)
HIRACE_BLAS_DOT(Ddot, double, false)
HIRACE_BLAS_DOT(Cdotu, float2, false)
HIRACE_BLAS_DOT(Cdotc, float2, true)
HIRACE_BLAS_DOT(Zdotu, double2, false)
HIRACE_BLAS_DOT(Zdotc, double2, true)
HIRACE_BLAS_ROT(Srot, float)
HIRACE_BLAS_ROT(Drot, double)
#undef HIRACE_BLAS_ROT
#undef HIRACE_BLAS_DOT
#undef HIRACE_BLAS_SUMS
#undef HIRACE_BLAS

inline cublasStatus_t cublasCsscal(cublasHandle_t handle, int n, const float* alpha, float2* x, int incx) {
  return hirace::cpu::blas_scal("cublasCsscal", handle, n, alpha, x, incx);
}
inline cublasStatus_t cublasZdscal(cublasHandle_t handle, int n, const double* alpha, double2* x, int incx) {
  return hirace::cpu::blas_scal("cublasZdscal", handle, n, alpha, x, incx);
}
