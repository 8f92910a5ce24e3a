// hirace's device code. Instrumented files include this header first.
//
// Ground rules
//  - Header-only, C++17, and the same for both backends: a C++ compiler builds for
//    the CPU executor (cpu/), nvcc for a GPU (gpu/). What is common lies here.
//  - Everything is in namespace hirace; macros begin with HIRACE_. The CPU backend
//    also supplies CUDA's own names, as cuda_runtime.h would.
//  - Headers that users' code includes do not use exceptions, RTTI or the heap on
//    paths that a kernel can reach.
//
//   site.h launch.h record.h      what was hooked, launched, found
//   site_table.h table_file.h     the tables of hooked places, and how the command gets them
//   shadow.h transition.h         the shadow word and one step of the state machine
//   generated/fsm_table.h         the state machine, written by `cargo xtask codegen`
//   access.h atomic.h sync.h      the hooks
//   bits.h bytes.h                the hooks of bit-fields, of memcpy and relatives
//   parameters.h                  what a kernel can reach by its parameters' types
//   ptx.h                         the hooks of inline PTX
//   array.h                       the wrapper for hand-instrumented code
#pragma once

#include "array.h"
#include "bits.h"
#include "bytes.h"
#include "ptx.h"
#include "site_table.h"
#include "sync.h"

#if HIRACE_GPU
#include "gpu/runtime.h"
#else
#include "cpu/executor.h"
#endif
