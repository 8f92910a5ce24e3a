// Which backend is being compiled, and the function qualifiers that follow from it.
//
// nvcc means the GPU backend; any other C++17 compiler means the CPU executor.
// No other header may test which compiler is used: `executor/` and `gpu/` offer
// the same functions to the code above them.
//
// If HIRACE_LIBRARY is 1, a program includes only declarations and inline code, and is linked with
// the rest, which is compiled once from library.cpp. Otherwise the headers contain the definitions,
// too, and are all that a program needs.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define HIRACE_GPU 1
#define HIRACE_FUNCTION __host__ __device__ inline
// Hooks are inlined into the accesses; their slow paths stay out of line, to save
// registers and instruction cache in kernels with many accesses.
#define HIRACE_HOOK __host__ __device__ __forceinline__
#define HIRACE_DEVICE_HOOK __device__ __forceinline__
#define HIRACE_SYNC_HOOK HIRACE_DEVICE_HOOK
#else
#define HIRACE_GPU 0
#define HIRACE_FUNCTION inline
#define HIRACE_HOOK inline __attribute__((always_inline))
#define HIRACE_DEVICE_HOOK HIRACE_HOOK
// A call, so that a debugger can stop at a line that contains only a barrier.
#define HIRACE_SYNC_HOOK inline
#endif

#ifndef HIRACE_LIBRARY
#define HIRACE_LIBRARY 0
#endif

// A function that thin headers declare and a `.inl.h` defines. The library must contain it
// even if nothing there calls it.
#if defined(HIRACE_BUILDS_LIBRARY)
#define HIRACE_RUNTIME inline __attribute__((used))
#else
#define HIRACE_RUNTIME inline
#endif

// A function with thousands of accesses takes the compiler minutes if each check is inlined. The
// instrumenter defines this macro in files with such a function.
#if defined(HIRACE_CHECKS_BY_CALL)
#define HIRACE_CHECK inline __attribute__((noinline))
#else
#define HIRACE_CHECK HIRACE_HOOK
#endif
#if defined(HIRACE_CHECKS_BY_CALL) && !HIRACE_GPU
#define HIRACE_ATOMIC_HOOK HIRACE_CHECK
#else
#define HIRACE_ATOMIC_HOOK HIRACE_DEVICE_HOOK
#endif

#define HIRACE_COLD __attribute__((noinline, cold))
