// The CPU executor: everything that a program finds without an include under nvcc,
// and in cuda_runtime.h, for a plain C++ compiler.
#pragma once

#include "qualifiers.h"

#include "builtins.h"
#include "conversions.h"
#include "cuda_names.h"
#include "integers.h"
#include "kernel_heap.h"
#include "intrinsics.h"
#include "launch.h"
#include "math_functions.h"
#include "ptx_arithmetic.h"
#include "ptx_registers.h"
#include "runtime_copy.h"
#include "runtime_device.h"
#include "runtime_function.h"
#include "runtime_memory.h"
#include "runtime_stream.h"
#include "vector_types.h"

#include "compiler_identity.h"
