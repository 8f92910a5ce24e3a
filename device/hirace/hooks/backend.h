// Which backend is being compiled, and the function qualifiers that follow from it.
//
// nvcc means the GPU backend; any other C++17 compiler means the CPU executor.
// Nothing else in these headers may ask which compiler it is: the backends meet
// in `executor/` and `gpu/`, which offer the same functions to the code above them.
//
// A program for the CPU executor reads declarations and what has to be in line, and is linked
// with the rest, which is compiled once from library.cpp: HIRACE_LIBRARY is 1 then. Otherwise
// the definitions are included as well, and a program needs nothing but the headers.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define HIRACE_GPU 1
#define HIRACE_FUNCTION __host__ __device__ inline
// Hooks vanish into the access they guard; their slow paths stay out of line so
// that a kernel with many accesses keeps its registers and instruction cache.
#define HIRACE_HOOK __host__ __device__ __forceinline__
#define HIRACE_DEVICE_HOOK __device__ __forceinline__
#define HIRACE_SYNC_HOOK HIRACE_DEVICE_HOOK
#else
#define HIRACE_GPU 0
#define HIRACE_FUNCTION inline
#define HIRACE_HOOK inline __attribute__((always_inline))
#define HIRACE_DEVICE_HOOK HIRACE_HOOK
// A call, where a debugger can stop: a barrier may be all that stands on its line.
#define HIRACE_SYNC_HOOK inline
#endif

#ifndef HIRACE_LIBRARY
#define HIRACE_LIBRARY 0
#endif

// A function that thin headers declare and a `.inl.h` defines. The library has to hold it even
// where nothing there calls it.
#if defined(HIRACE_BUILDS_LIBRARY)
#define HIRACE_RUNTIME inline __attribute__((used))
#else
#define HIRACE_RUNTIME inline
#endif

#define HIRACE_COLD __attribute__((noinline, cold))
