// CUB's macros and helpers for numbers and errors.
#pragma once

#include "../../hirace.cuh"

#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y)-1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_STATIC_ASSERT(condition, message) static_assert(condition, #message)
#define CUB_PTX_WARP_THREADS 32
#define CUB_WARP_THREADS(unused) 32
#define CUB_LOG_WARP_THREADS(unused) 5
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_LOG_SMEM_BANKS(unused) 5
#define CUB_SMEM_BANKS(unused) 32
#define CUB_PTX_ARCH 900
#define CUB_IS_DEVICE_CODE 1
#define CUB_IS_HOST_CODE 0
#define CUB_INCLUDE_DEVICE_CODE 1
#define CUB_INCLUDE_HOST_CODE 1
#define CUB_DETAIL_DEFAULT

#define CubDebug(e) cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e)                                        \
  if (cub::Debug((cudaError_t)(e), __FILE__, __LINE__)) std::exit(1)

namespace cub {

inline cudaError_t Debug(cudaError_t error, const char* file, int line) {
  cudaGetLastError();
  if (error != cudaSuccess) std::fprintf(stderr, "CUDA error %d [%s, %d]: %s\n", error, file, line, cudaGetErrorString(error));
  return error;
}

template <class Number, class Divisor>
constexpr Number DivideAndRoundUp(Number number, Divisor divisor) {
  return number / divisor + (number % divisor != 0);
}
inline int PtxVersion(int& version) {
  version = 900;
  return cudaSuccess;
}

template <int number, int current = number, int count = 0>
struct Log2 {
  enum { VALUE = Log2<number, (current >> 1), count + 1>::VALUE };
};
template <int number, int count>
struct Log2<number, 0, count> {
  enum { VALUE = (1 << (count - 1) < number) ? count : count - 1 };
};
template <int number>
struct PowerOfTwo {
  enum { VALUE = (number & (number - 1)) == 0 };
};

}  // namespace cub
