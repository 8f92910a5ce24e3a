// Products of matrices in cuBLAS, one or many at a time, of one type or with the types given at run time.
#pragma once

#include "level2.h"

namespace hirace::cpu {

// C = alpha * op(A) * op(B) + beta * C, for elements of types `In` and `Out` and sums of type `Sum`.
template <class In, class Out, class Sum>
struct BlasProduct {
  BlasOperand<In> a, b;
  BlasMatrix<Out> c;

  long long depth() const { return b.is_transposed() ? b.matrix.columns : b.matrix.rows; }
  bool is_valid() const { return a.matrix.has_pitch() && b.matrix.has_pitch() && c.has_pitch(); }
  bool is_there(const char* name) const { return a.matrix.is_there(name) && b.matrix.is_there(name) && c.is_there(name); }

  void run(const Sum& alpha, const Sum& beta) const {
    a.matrix.note(BlasAccess::reads);
    b.matrix.note(BlasAccess::reads);
    c.note(beta == Sum(0) ? BlasAccess::writes : BlasAccess::updates);
    Sum* const sums = new Sum[static_cast<std::size_t>(c.rows) + 1];
    for (long long column = 0; column < c.columns; ++column) {
      for (long long row = 0; row < c.rows; ++row) sums[row] = Sum(0);
      for (long long step = 0; step < depth(); ++step) {
        const Sum factor = static_cast<Sum>(b(step, column));
        for (long long row = 0; row < c.rows; ++row) sums[row] += static_cast<Sum>(a(row, step)) * factor;
      }
      for (long long row = 0; row < c.rows; ++row) {
        Sum sum = alpha * sums[row];
        if (!(beta == Sum(0))) sum += beta * static_cast<Sum>(c(row, column));
        c(row, column) = static_cast<Out>(sum);
      }
    }
    delete[] sums;
  }
};

// The sizes that all products of a call share.
struct BlasShape {
  cublasOperation_t a_operation, b_operation;
  int m, n, k, lda, ldb, ldc;

  template <class Sum, class In, class Out>
  BlasProduct<In, Out, Sum> product(const In* a, const In* b, Out* c) const {
    return {operand(a, a_operation, m, k, lda), operand(b, b_operation, k, n, ldb), {c, m, n, ldc}};
  }
  bool is_empty() const { return m == 0 || n == 0; }
};

// `place(i)`: product i of `count`. `pointers`: they are in device memory, where `note` reads them.
template <class Sum, class Factor, class Place>
cublasStatus_t blas_products(const char* name, cublasHandle_t handle, const BlasShape& shape, int count, const Factor* alpha, const Factor* beta,
                             bool checks, const Place& place) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (shape.m < 0 || shape.n < 0 || shape.k < 0 || count < 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (shape.is_empty() || count == 0) return CUBLAS_STATUS_SUCCESS;
  for (int i = 0; checks && i < count; ++i) {
    if (!place(i).is_valid()) return CUBLAS_STATUS_INVALID_VALUE;
    if (!place(i).is_there(name)) return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  const BlasScalar<Factor> by(handle, alpha), keep(handle, beta);
  return run_blas(name, handle, LibraryWaits::for_nothing, [=] {
    const Sum factor = static_cast<Sum>(by.get()), kept = static_cast<Sum>(keep.get());
    for (int i = 0; i < count; ++i) place(i).run(factor, kept);
  });
}

template <class T>
cublasStatus_t blas_gemm(const char* name, cublasHandle_t handle, const BlasShape& shape, int count, const T* alpha, const T* a,
                         long long a_stride, const T* b, long long b_stride, const T* beta, T* c, long long c_stride) {
  return blas_products<BlasSum<T>>(name, handle, shape, count, numbers(alpha), numbers(beta), true, [=](int i) {
    return shape.product<BlasSum<T>>(numbers(a) + i * a_stride, numbers(b) + i * b_stride, numbers(c) + i * c_stride);
  });
}

// The arrays of pointers are in device memory.
template <class T>
cublasStatus_t blas_gemm_batched(const char* name, cublasHandle_t handle, const BlasShape& shape, int count, const T* alpha, const T* const* a,
                                 const T* const* b, const T* beta, T* const* c) {
  const std::size_t bytes = static_cast<std::size_t>(count > 0 ? count : 0) * sizeof(T*);
  if (!has_array(name, a, bytes) || !has_array(name, b, bytes) || !has_array(name, c, bytes)) return CUBLAS_STATUS_EXECUTION_FAILED;
  return blas_products<BlasSum<T>>(name, handle, shape, count, numbers(alpha), numbers(beta), false, [=](int i) {
    library_reads(a + i, sizeof a[i]);
    library_reads(b + i, sizeof b[i]);
    library_reads(c + i, sizeof c[i]);
    return shape.product<BlasSum<T>>(numbers(a[i]), numbers(b[i]), numbers(c[i]));
  });
}

template <class In, class Out, class Sum>
cublasStatus_t blas_gemm_as(const char* name, cublasHandle_t handle, const BlasShape& shape, int count, const void* alpha, const void* a,
                            long long a_stride, const void* b, long long b_stride, const void* beta, void* c, long long c_stride) {
  const auto* const left = numbers(static_cast<const In*>(a));
  const auto* const right = numbers(static_cast<const In*>(b));
  auto* const out = numbers(static_cast<Out*>(c));
  using Computed = std::conditional_t<std::is_same_v<Sum, float>, double, BlasSum<Sum>>;
  return blas_products<Computed>(name, handle, shape, count, numbers(static_cast<const Sum*>(alpha)), numbers(static_cast<const Sum*>(beta)), true,
                                 [=](int i) { return shape.product<Computed>(left + i * a_stride, right + i * b_stride, out + i * c_stride); });
}

// What the factors alpha and beta are, by the type of the computation and of the result.
inline cudaDataType factor_type(cublasComputeType_t compute, cudaDataType out) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: return CUDA_R_16F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return out == CUDA_C_64F ? CUDA_C_64F : CUDA_R_64F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: return CUDA_R_32I;
    default: return out == CUDA_C_32F ? CUDA_C_32F : CUDA_R_32F;
  }
}

// The types of a product at run time.
struct BlasTypes {
  cudaDataType a, b, c;
  cublasComputeType_t compute;
};

template <class... Arguments>
cublasStatus_t blas_gemm_typed(const char* name, const BlasTypes& types, Arguments... arguments) {
  if (types.a != types.b) return CUBLAS_STATUS_NOT_SUPPORTED;
  const cudaDataType factor = factor_type(types.compute, types.c);
#define HIRACE_BLAS_TYPES(a_code, In, c_code, Out, factor_code, Sum) \
  if (types.a == a_code && types.c == c_code && factor == factor_code) return blas_gemm_as<In, Out, Sum>(name, arguments...);
  HIRACE_BLAS_TYPES(CUDA_R_16F, __half, CUDA_R_16F, __half, CUDA_R_16F, __half)
  HIRACE_BLAS_TYPES(CUDA_R_16F, __half, CUDA_R_16F, __half, CUDA_R_32F, float)
  HIRACE_BLAS_TYPES(CUDA_R_16F, __half, CUDA_R_32F, float, CUDA_R_32F, float)
  HIRACE_BLAS_TYPES(CUDA_R_16BF, __nv_bfloat16, CUDA_R_16BF, __nv_bfloat16, CUDA_R_32F, float)
  HIRACE_BLAS_TYPES(CUDA_R_16BF, __nv_bfloat16, CUDA_R_32F, float, CUDA_R_32F, float)
  HIRACE_BLAS_TYPES(CUDA_R_8I, signed char, CUDA_R_32I, int, CUDA_R_32I, int)
  HIRACE_BLAS_TYPES(CUDA_R_8I, signed char, CUDA_R_32F, float, CUDA_R_32F, float)
  HIRACE_BLAS_TYPES(CUDA_R_32F, float, CUDA_R_32F, float, CUDA_R_32F, float)
  HIRACE_BLAS_TYPES(CUDA_R_64F, double, CUDA_R_64F, double, CUDA_R_64F, double)
  HIRACE_BLAS_TYPES(CUDA_C_32F, float2, CUDA_C_32F, float2, CUDA_C_32F, float2)
  HIRACE_BLAS_TYPES(CUDA_C_64F, double2, CUDA_C_64F, double2, CUDA_C_64F, double2)
#undef HIRACE_BLAS_TYPES
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

}  // namespace hirace::cpu

#define HIRACE_BLAS(name, type)                                                                                                              \
  inline cublasStatus_t cublas##name(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, const type* alpha, \
                                     const type* a, int lda, const type* b, int ldb, const type* beta, type* c, int ldc) {                   \
    return hirace::cpu::blas_gemm("cublas" #name, h, {opa, opb, m, n, k, lda, ldb, ldc}, 1, alpha, a, 0, b, 0, beta, c, 0);                  \
  }                                                                                                                                          \
  inline cublasStatus_t cublas##name##StridedBatched(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,    \
                                                     const type* alpha, const type* a, int lda, long long stride_a, const type* b, int ldb,  \
                                                     long long stride_b, const type* beta, type* c, int ldc, long long stride_c,             \
                                                     int count) {                                                                            \
    return hirace::cpu::blas_gemm("cublas" #name "StridedBatched", h, {opa, opb, m, n, k, lda, ldb, ldc}, count, alpha, a, stride_a, b,      \
                                  stride_b, beta, c, stride_c);                                                                              \
  }                                                                                                                                          \
  inline cublasStatus_t cublas##name##Batched(cublasHandle_t h, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,           \
                                              const type* alpha, const type* const a[], int lda, const type* const b[], int ldb,             \
                                              const type* beta, type* const c[], int ldc, int count) {                                       \
    return hirace::cpu::blas_gemm_batched("cublas" #name "Batched", h, {opa, opb, m, n, k, lda, ldb, ldc}, count, alpha, a, b, beta, c);     \
  }
HIRACE_BLAS(Sgemm, float)
HIRACE_BLAS(Dgemm, double)
HIRACE_BLAS(Cgemm, float2)
HIRACE_BLAS(Zgemm, double2)
HIRACE_BLAS(Hgemm, __half)
#undef HIRACE_BLAS

inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, const void* alpha,
                                   const void* a, cudaDataType a_type, int lda, const void* b, cudaDataType b_type, int ldb, const void* beta,
                                   void* c, cudaDataType c_type, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  const hirace::cpu::BlasShape shape{opa, opb, m, n, k, lda, ldb, ldc};
  return hirace::cpu::blas_gemm_typed("cublasGemmEx", {a_type, b_type, c_type, compute}, handle, shape, 1, alpha, a, 0, b, 0, beta, c, 0);
}
inline cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k,
                                                 const void* alpha, const void* a, cudaDataType a_type, int lda, long long stride_a,
                                                 const void* b, cudaDataType b_type, int ldb, long long stride_b, const void* beta, void* c,
                                                 cudaDataType c_type, int ldc, long long stride_c, int count, cublasComputeType_t compute,
                                                 cublasGemmAlgo_t) {
  const hirace::cpu::BlasShape shape{opa, opb, m, n, k, lda, ldb, ldc};
  return hirace::cpu::blas_gemm_typed("cublasGemmStridedBatchedEx", {a_type, b_type, c_type, compute}, handle, shape, count, alpha, a, stride_a, b,
                                      stride_b, beta, c, stride_c);
}
inline cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb, int m, int n, int k, const float* alpha,
                                    const void* a, cudaDataType a_type, int lda, const void* b, cudaDataType b_type, int ldb, const float* beta,
                                    void* c, cudaDataType c_type, int ldc) {
  const hirace::cpu::BlasShape shape{opa, opb, m, n, k, lda, ldb, ldc};
  return hirace::cpu::blas_gemm_typed("cublasSgemmEx", {a_type, b_type, c_type, CUBLAS_COMPUTE_32F}, handle, shape, 1,
                                      static_cast<const void*>(alpha), a, 0, b, 0, static_cast<const void*>(beta), c, 0);
}
