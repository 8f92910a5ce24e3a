// CUDA's qualifiers, where they have a meaning on a CPU.
#pragma once

// Which standard library it is.
#include <cstddef>

#define __host__
// Only host code reports its accesses: the compiler does not inline functions that do into others. What is no
// function ignores the attribute.
#if defined(HIRACE_REPORTS_HOST)
#pragma GCC diagnostic ignored "-Wattributes"
#define __global__ __attribute__((__no_sanitize_thread__))
#define __device__ __attribute__((__no_sanitize_thread__))
#else
#define __global__
#define __device__
#endif
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __nv_pure__ __attribute__((__pure__))
#define __forceinline__ inline __attribute__((__always_inline__))
#define __inline_hint__ inline
// libc++ has the name among its attributes.
#if defined(_LIBCPP_VERSION)
#define __noinline__
#else
#define __noinline__ __attribute__((__noinline__))
#endif
#define __align__(n) __attribute__((__aligned__(n)))
#define __builtin_align__(n) __attribute__((__aligned__(n)))

// The calling convention of host functions, which CUDA defines only for Windows.
#define CUDARTAPI
#define CUDART_CB

// The instrumenter replaces every declaration of shared memory by storage of the running block. Any
// that it missed would silently be private memory.
#define __shared__ _Pragma("GCC error \"hirace: this __shared__ declaration was not instrumented\"")
