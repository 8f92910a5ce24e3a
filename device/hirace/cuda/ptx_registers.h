// PTX's special registers on the CPU (PTX ISA, "Special Registers").
#pragma once

#include <cstring>

#include "intrinsics.h"
#include "../executor/check/checked_launch.h"
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

// The pointer that a kernel's parameter holds.
template <class T>
inline T* pointer_in(const unsigned char* parameter) {
  T* pointer;
  std::memcpy(&pointer, parameter, sizeof pointer);
  return pointer;
}

inline std::uint32_t laneid() { return current_lane(); }
inline std::uint32_t warpid() { return linear_thread() / warp_lanes; }
inline std::uint32_t nwarpid() { return (blockDim.x * blockDim.y * blockDim.z + warp_lanes - 1) / warp_lanes; }

// The operand `c` of `shfl.sync`: the mask of a segment's bits above, the largest lane below (PTX ISA,
// "shfl.sync"). The second result is whether the source lane is inside the segment.
inline int shuffle_width(std::uint32_t clamp) { return static_cast<int>(warp_lanes - (clamp >> 8 & 0x1f)); }
inline std::uint32_t shuffle_last(std::uint32_t clamp) {
  const std::uint32_t segment = clamp >> 8 & 0x1f;
  return (current_lane() & segment) | (clamp & 0x1f & ~segment);
}
inline bool shuffle_inside_up(std::uint32_t by, std::uint32_t clamp) { return current_lane() >= shuffle_last(clamp) + (by & 0x1f); }
inline bool shuffle_inside_down(std::uint32_t by, std::uint32_t clamp) { return current_lane() + (by & 0x1f) <= shuffle_last(clamp); }
inline bool shuffle_inside_bfly(std::uint32_t by, std::uint32_t clamp) { return (current_lane() ^ (by & 0x1f)) <= shuffle_last(clamp); }
inline bool shuffle_inside_idx(std::uint32_t lane, std::uint32_t clamp) {
  const std::uint32_t segment = clamp >> 8 & 0x1f;
  return ((current_lane() & segment) | (lane & 0x1f & ~segment)) <= shuffle_last(clamp);
}

inline std::uint32_t lanemask_eq() { return std::uint32_t{1} << current_lane(); }
inline std::uint32_t lanemask_lt() { return lanemask_eq() - 1; }
inline std::uint32_t lanemask_le() { return lanemask_lt() | lanemask_eq(); }
inline std::uint32_t lanemask_gt() { return ~lanemask_le(); }
inline std::uint32_t lanemask_ge() { return ~lanemask_lt(); }

// To the program, all blocks run on one multiprocessor.
inline std::uint32_t smid() { return 0; }
inline std::uint32_t nsmid() { return 1; }

inline std::uint32_t dynamic_smem_size() { return static_cast<std::uint32_t>(current_launch.dynamic_shared); }

// With the static variables.
inline std::uint32_t total_smem_size() {
  return static_cast<std::uint32_t>(block_dynamic_shared - block_shared) + dynamic_smem_size();
}
// No shared memory is a cache's, or reserved.
inline std::uint32_t aggr_smem_size() { return total_smem_size(); }
inline std::uint32_t reserved_smem_offset_begin() { return 0; }
inline std::uint32_t reserved_smem_offset_end() { return 0; }
inline std::uint32_t reserved_smem_offset_cap() { return 0; }
// The address of the grid's workspace.
inline std::uint32_t envreg1() { return static_cast<std::uint32_t>(grid_workspace() >> 32); }
inline std::uint32_t envreg2() { return static_cast<std::uint32_t>(grid_workspace()); }
inline std::uint64_t gridid() { return current_launch.serial; }

inline unsigned long long globaltimer() { return ::globaltimer(); }
inline std::uint32_t globaltimer_lo() { return static_cast<std::uint32_t>(globaltimer()); }
inline std::uint32_t globaltimer_hi() { return static_cast<std::uint32_t>(globaltimer() >> 32); }
inline unsigned long long clock64() { return static_cast<unsigned long long>(::clock64()); }
inline std::uint32_t clock() { return static_cast<std::uint32_t>(clock64()); }
inline std::uint32_t clock_hi() { return static_cast<std::uint32_t>(clock64() >> 32); }

}  // namespace hirace::cpu::ptx
