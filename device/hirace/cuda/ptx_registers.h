// PTX's special registers on the CPU (PTX ISA, "Special Registers").
#pragma once

#include "intrinsics.h"
#include "../executor/scheduler/warp.h"

namespace hirace::cpu::ptx {

#define HIRACE_PTX_VECTOR_REGISTER(name, variable)                \
  inline std::uint32_t name##_x() { return variable.x; }          \
  inline std::uint32_t name##_y() { return variable.y; }          \
  inline std::uint32_t name##_z() { return variable.z; }
HIRACE_PTX_VECTOR_REGISTER(tid, threadIdx)
HIRACE_PTX_VECTOR_REGISTER(ntid, blockDim)
HIRACE_PTX_VECTOR_REGISTER(ctaid, blockIdx)
HIRACE_PTX_VECTOR_REGISTER(nctaid, gridDim)
#undef HIRACE_PTX_VECTOR_REGISTER

inline std::uint32_t laneid() { return current_lane(); }
inline std::uint32_t warpid() { return linear_thread() / warp_lanes; }
inline std::uint32_t nwarpid() { return (blockDim.x * blockDim.y * blockDim.z + warp_lanes - 1) / warp_lanes; }

inline std::uint32_t lanemask_eq() { return std::uint32_t{1} << current_lane(); }
inline std::uint32_t lanemask_lt() { return lanemask_eq() - 1; }
inline std::uint32_t lanemask_le() { return lanemask_lt() | lanemask_eq(); }
inline std::uint32_t lanemask_gt() { return ~lanemask_le(); }
inline std::uint32_t lanemask_ge() { return ~lanemask_lt(); }

// To the program, all blocks run on one multiprocessor.
inline std::uint32_t smid() { return 0; }
inline std::uint32_t nsmid() { return 1; }

inline unsigned long long globaltimer() { return ::globaltimer(); }
inline unsigned long long clock64() { return static_cast<unsigned long long>(::clock64()); }
inline std::uint32_t clock() { return static_cast<std::uint32_t>(clock64()); }
inline std::uint32_t clock_hi() { return static_cast<std::uint32_t>(clock64() >> 32); }

}  // namespace hirace::cpu::ptx
