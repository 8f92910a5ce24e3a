// The CPU executor: everything that nvcc, and cuda_runtime.h, make available to a program without
// an include, for a plain C++ compiler.
//
// These headers declare the executor and define its inline parts; library.h defines the rest. They
// may include C headers and the C++ library headers that nvcc's own headers include: other headers
// of the C++ library could clash with names of the program.
#pragma once

#include "../cuda/qualifiers.h"

#include "../cuda/barrier_primitives.h"
#include "../cuda/cluster_intrinsics.h"
#include "../cuda/conversions.h"
#include "../cuda/device_types.h"
#include "../cuda/directed_rounding.h"
#include "../cuda/integers.h"
#include "../cuda/intrinsics.h"
#include "../cuda/kernel_print.h"
#include "../cuda/library_types.h"
#include "../cuda/maskless.h"
#include "../cuda/math_functions.h"
#include "../cuda/names.h"
#include "../cuda/nv_atomics.h"
#include "../cuda/ptx_arithmetic.h"
#include "../cuda/ptx_async.h"
#include "../cuda/ptx_bits.h"
#include "../cuda/ptx_bulk.h"
#include "../cuda/ptx_calls.h"
#include "../cuda/ptx_choices.h"
#include "../cuda/ptx_conversions.h"
#include "../cuda/ptx_matrix.h"
#include "../cuda/ptx_permute.h"
#include "../cuda/ptx_registers.h"
#include "../cuda/ptx_wgmma.h"
#include "../cuda/ptx_wmma.h"
#include "../cuda/runtime_constants.h"
#include "../cuda/simd_in_word.h"
#include "../cuda/standard_names.h"
#include "../cuda/surface_access.h"
#include "../cuda/texture_levels.h"
#include "../cuda/texture_fetch.h"
#include "../cuda/texture_reference_fetch.h"
#include "../cuda/unsupported_names.h"
#include "../cuda/vector_types.h"
#include "builtins.h"
#include "call_site.h"
#include "check/constant_bounds.h"
#include "check/kernel_entry.h"
#include "memory/device_section.h"
#include "memory/kernel_heap.h"
#include "memory/shared_variable.h"
#include "runtime/array.h"
#include "runtime/capture.h"
#include "runtime/copy.h"
#include "runtime/copy3d.h"
#include "runtime/device.h"
#include "runtime/entry_point.h"
#include "runtime/function.h"
#include "runtime/graph.h"
#include "runtime/host_call.h"
#include "runtime/kernel_names.h"
#include "runtime/launch.h"
#include "runtime/memory.h"
#include "runtime/pool.h"
#include "runtime/stream.h"
#include "runtime/texture.h"
#include "runtime/texture_reference.h"
#include "scheduler/launch_expression.h"
#include "repair_trial.h"

#if !HIRACE_LIBRARY || defined(HIRACE_BUILDS_LIBRARY)
#include "library.h"
#endif

#include "../cuda/compiler_identity.h"
#include "../cuda/include_guards.h"

namespace hirace {
// Its second name, for programs with a macro of the first one.
namespace hirace_cpu = cpu;
}  // namespace hirace
