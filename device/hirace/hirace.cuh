// hirace's device code. Instrumented files include this header first.
//
// Ground rules
//  - Header-only, C++17, and the same for both backends: a C++ compiler builds for
//    the CPU executor, nvcc for a GPU.
//  - Everything is in namespace hirace; macros begin with HIRACE_. The CPU backend
//    also supplies CUDA's own names, as cuda_runtime.h would.
//  - Headers that users' code includes do not use exceptions, RTTI or the heap on
//    paths that a kernel can reach.
//
//   hooks/       what instrumented code calls: accesses, atomics, barriers, launches
//   checker/     the shadow word and one step of the state machine, for both backends
//   records/     what a program passes to the command: sites, race records, and their files
//   generated/   written by `cargo xtask codegen`
//   executor/    the CPU backend: check/ (shadow memory, clocks, histories), scheduler/,
//                memory/, host/ (accesses of host code), runtime/ (the runtime API)
//   cuda/        CUDA's built-in names, for a C++ compiler
//   libraries/   cooperative groups, libcu++, cuBLAS, cuFFT, cuRAND; what headers of CUB share
//   toolkit/     headers under the toolkit's names
//   pytorch/     PyTorch's headers of CUDA, in its extensions on the CPU
//   gpu/         the GPU backend
#if !defined(__cplusplus)
// The wrapper of nvcc includes this header before all sources of a command, also before those in C.
#if __INCLUDE_LEVEL__ > 1
#error "CUDA's headers are C++ here"
#endif
#else
#pragma once

#include "executor/host/memory_functions.h"  // before the C library's headers

#include "hooks/argument.h"
#include "hooks/array.h"
#include "hooks/bits.h"
#include "hooks/bytes.h"
#include "hooks/random_generator.h"
#include "hooks/ptx.h"
#include "hooks/shift.h"
#include "hooks/subscript.h"
#include "hooks/sync.h"

#if HIRACE_GPU
#include "gpu/runtime.h"
// The host runtime: not for the compilation of device code.
#if !defined(__CUDA_ARCH__) && (!HIRACE_LIBRARY || defined(HIRACE_BUILDS_LIBRARY))
#include "records/site_table.h"
#include "gpu/host.inl.h"
#endif
#else
#include "executor/executor.h"
#include "executor/scheduler/regions.h"
#endif

#endif
