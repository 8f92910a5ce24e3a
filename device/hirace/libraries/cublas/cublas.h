// cuBLAS for the CPU executor: cublas_v2.h. Its functions work in the handle's stream, as kernels would: their
// accesses are compared with those of other streams, and the host waits only for results of its own.
#pragma once

#include "level1.h"
#include "level3.h"

inline cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
inline std::size_t cublasGetCudartVersion() { return CUBLAS_VERSION; }

#define HIRACE_BLAS_SETTING(name, type, member)                                           \
  inline cublasStatus_t cublasSet##name(cublasHandle_t handle, type value) {              \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                          \
    handle->member = value;                                                               \
    return CUBLAS_STATUS_SUCCESS;                                                         \
  }                                                                                       \
  inline cublasStatus_t cublasGet##name(cublasHandle_t handle, type* value) {             \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                          \
    *value = handle->member;                                                              \
    return CUBLAS_STATUS_SUCCESS;                                                         \
  }
HIRACE_BLAS_SETTING(Stream, cudaStream_t, stream)
HIRACE_BLAS_SETTING(PointerMode, cublasPointerMode_t, pointer_mode)
HIRACE_BLAS_SETTING(MathMode, cublasMath_t, math_mode)
HIRACE_BLAS_SETTING(AtomicsMode, cublasAtomicsMode_t, atomics_mode)
#undef HIRACE_BLAS_SETTING
// No function needs it.
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, std::size_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

namespace hirace::cpu {

// A copy of `columns` columns of `rows` elements.
inline cublasStatus_t copy_blas_matrix(long long rows, long long columns, int size, const void* from, int from_pitch, void* to, int to_pitch,
                                       cudaMemcpyKind kind, const cudaStream_t* stream) {
  if (rows < 0 || columns < 0 || size <= 0 || from_pitch <= 0 || to_pitch <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  const auto bytes = [=](long long elements) { return static_cast<std::size_t>(elements * size); };
  const auto lines = static_cast<std::size_t>(columns);
  const cudaError_t error =
      stream == nullptr ? cudaMemcpy2D(to, bytes(to_pitch), from, bytes(from_pitch), bytes(rows), lines, kind)
                        : cudaMemcpy2DAsync(to, bytes(to_pitch), from, bytes(from_pitch), bytes(rows), lines, kind, *stream);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace hirace::cpu

#define HIRACE_BLAS_COPIES(verb, kind)                                                                                                  \
  inline cublasStatus_t cublas##verb##Vector(int n, int size, const void* from, int from_step, void* to, int to_step) {                 \
    return hirace::cpu::copy_blas_matrix(1, n, size, from, from_step, to, to_step, kind, nullptr);                                      \
  }                                                                                                                                     \
  inline cublasStatus_t cublas##verb##VectorAsync(int n, int size, const void* from, int from_step, void* to, int to_step,              \
                                                  cudaStream_t stream) {                                                                \
    return hirace::cpu::copy_blas_matrix(1, n, size, from, from_step, to, to_step, kind, &stream);                                      \
  }                                                                                                                                     \
  inline cublasStatus_t cublas##verb##Matrix(int rows, int columns, int size, const void* from, int from_pitch, void* to, int to_pitch) { \
    return hirace::cpu::copy_blas_matrix(rows, columns, size, from, from_pitch, to, to_pitch, kind, nullptr);                           \
  }                                                                                                                                     \
  inline cublasStatus_t cublas##verb##MatrixAsync(int rows, int columns, int size, const void* from, int from_pitch, void* to,          \
                                                  int to_pitch, cudaStream_t stream) {                                                  \
    return hirace::cpu::copy_blas_matrix(rows, columns, size, from, from_pitch, to, to_pitch, kind, &stream);                           \
  }
HIRACE_BLAS_COPIES(Set, cudaMemcpyHostToDevice)
HIRACE_BLAS_COPIES(Get, cudaMemcpyDeviceToHost)
#undef HIRACE_BLAS_COPIES

// cuBLAS's own names for some of these.
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm

#define HIRACE_BLAS_ADVICE "use another function of cuBLAS, or a kernel of your own"
#define HIRACE_BLAS_NO(name) HIRACE_UNSUPPORTED_FUNCTION(cublasStatus_t, name, HIRACE_BLAS_ADVICE)
HIRACE_BLAS_NO(cublasSgetrfBatched)
HIRACE_BLAS_NO(cublasDgetrfBatched)
HIRACE_BLAS_NO(cublasSgetriBatched)
HIRACE_BLAS_NO(cublasDgetriBatched)
HIRACE_BLAS_NO(cublasSgetrsBatched)
HIRACE_BLAS_NO(cublasDgetrsBatched)
HIRACE_BLAS_NO(cublasSmatinvBatched)
HIRACE_BLAS_NO(cublasDmatinvBatched)
HIRACE_BLAS_NO(cublasStrmm)
HIRACE_BLAS_NO(cublasDtrmm)
HIRACE_BLAS_NO(cublasStrmv)
HIRACE_BLAS_NO(cublasDtrmv)
HIRACE_BLAS_NO(cublasStrsmBatched)
HIRACE_BLAS_NO(cublasDtrsmBatched)
HIRACE_BLAS_NO(cublasSgbmv)
HIRACE_BLAS_NO(cublasDgbmv)
HIRACE_BLAS_NO(cublasGemmBatchedEx)
#undef HIRACE_BLAS_NO
#undef HIRACE_BLAS_ADVICE
