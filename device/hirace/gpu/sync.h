// Barriers, warp intrinsics and fences on the GPU: the hardware executes them, and the clocks of
// the threads that pass advance.
//
// A clock that overflows cannot order later accesses, so the thread is no longer checked, rather
// than checked wrongly. Its unseen accesses can hide a race but not cause a false one.
#pragma once

#include "scope.h"

namespace hirace::gpu {

inline __device__ __noinline__ void clock_overflow(std::uint32_t limit) {
  Clocks& clocks = block_clocks()[linear_thread()];
  clocks = static_cast<Clocks>(clocks | unchecked_clock);
  if (has_context()) report_limit(limit);
}

__device__ __forceinline__ void pass_block_barrier() {
  Clocks& clocks = block_clocks()[linear_thread()];
  const std::uint32_t count = clocks & block_clock_mask;
  if (count == block_clock_mask) return clock_overflow(block_clock_overflow);
  clocks = static_cast<Clocks>(count + (1u << GlobalLayout::block_clock_shift));
  if constexpr (shared_block_clock_bits < widths.block_clock) {
    if ((clocks & SharedLayout::block_clock_field) == 0) clear_at_barrier();
  }
}

__device__ __forceinline__ void pass_warp_barrier() {
  Clocks& clocks = block_clocks()[linear_thread()];
  if ((clocks & warp_clock_mask) == warp_clock_mask) return clock_overflow(warp_clock_overflow);
  ++clocks;
}

__device__ __forceinline__ void block_barrier(SiteId) { __syncthreads(); }
__device__ __forceinline__ int block_barrier_count(SiteId, int predicate) { return __syncthreads_count(predicate); }
__device__ __forceinline__ int block_barrier_and(SiteId, int predicate) { return __syncthreads_and(predicate); }
__device__ __forceinline__ int block_barrier_or(SiteId, int predicate) { return __syncthreads_or(predicate); }

// Whether `mask` contains every lane of the warp. Lanes that have exited and are not in the mask take no part:
// nothing orders what they did.
__device__ __forceinline__ bool is_whole_warp(std::uint32_t mask) {
  return mask == ~std::uint32_t{0} || (launched_lanes() & ~mask) == 0;
}

__device__ __forceinline__ bool warp_barrier(SiteId, std::uint32_t mask) {
  __syncwarp(mask);
  return is_whole_warp(mask);
}

// The result of an intrinsic that the lanes of `mask` have executed.
template <class T>
__device__ __forceinline__ T executed_by(std::uint32_t mask, T result, bool& whole_warp) {
  whole_warp = is_whole_warp(mask);
  return result;
}

// The CUDA functions are found by the arguments' types, which headers included later (cuda_fp16.h)
// may declare.
template <class T>
__device__ __forceinline__ T shfl_sync(SiteId, std::uint32_t mask, T value, int lane, int width, bool& whole_warp) {
  return executed_by(mask, __shfl_sync(mask, value, lane, width), whole_warp);
}

template <class T>
__device__ __forceinline__ T shfl_up_sync(SiteId, std::uint32_t mask, T value, unsigned delta, int width, bool& whole_warp) {
  return executed_by(mask, __shfl_up_sync(mask, value, delta, width), whole_warp);
}

template <class T>
__device__ __forceinline__ T shfl_down_sync(SiteId, std::uint32_t mask, T value, unsigned delta, int width, bool& whole_warp) {
  return executed_by(mask, __shfl_down_sync(mask, value, delta, width), whole_warp);
}

template <class T>
__device__ __forceinline__ T shfl_xor_sync(SiteId, std::uint32_t mask, T value, int lane_mask, int width, bool& whole_warp) {
  return executed_by(mask, __shfl_xor_sync(mask, value, lane_mask, width), whole_warp);
}

__device__ __forceinline__ unsigned ballot_sync(SiteId, std::uint32_t mask, int predicate, bool& whole_warp) {
  return executed_by(mask, __ballot_sync(mask, predicate), whole_warp);
}

__device__ __forceinline__ int any_sync(SiteId, std::uint32_t mask, int predicate, bool& whole_warp) {
  return executed_by(mask, __any_sync(mask, predicate), whole_warp);
}

__device__ __forceinline__ int all_sync(SiteId, std::uint32_t mask, int predicate, bool& whole_warp) {
  return executed_by(mask, __all_sync(mask, predicate), whole_warp);
}

template <class T>
__device__ __forceinline__ unsigned match_any_sync(SiteId, std::uint32_t mask, T value, bool& whole_warp) {
  return executed_by(mask, __match_any_sync(mask, value), whole_warp);
}

template <class T>
__device__ __forceinline__ unsigned match_all_sync(SiteId, std::uint32_t mask, T value, int* predicate, bool& whole_warp) {
  return executed_by(mask, __match_all_sync(mask, value, predicate), whole_warp);
}

// CUDA has these from compute capability 8.0 on; hooks/sync.h rejects them below.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HIRACE_WARP_REDUCTION(name, type)                                                                       \
  __device__ __forceinline__ type name(SiteId, std::uint32_t mask, type value, bool& whole_warp) {              \
    return executed_by(mask, __##name(mask, value), whole_warp);                                                \
  }
HIRACE_WARP_REDUCTION(reduce_add_sync, int)
HIRACE_WARP_REDUCTION(reduce_add_sync, unsigned)
HIRACE_WARP_REDUCTION(reduce_min_sync, int)
HIRACE_WARP_REDUCTION(reduce_min_sync, unsigned)
HIRACE_WARP_REDUCTION(reduce_max_sync, int)
HIRACE_WARP_REDUCTION(reduce_max_sync, unsigned)
HIRACE_WARP_REDUCTION(reduce_and_sync, unsigned)
HIRACE_WARP_REDUCTION(reduce_or_sync, unsigned)
HIRACE_WARP_REDUCTION(reduce_xor_sync, unsigned)
#undef HIRACE_WARP_REDUCTION
#endif

// A fence that is at least as strong: CUDA has no function for fence.acq_rel.
__device__ __forceinline__ void fence(Scope scope, bool) {
  switch (scope) {
    case Scope::block: return __threadfence_block();
    case Scope::cluster:
    case Scope::device: return __threadfence();
    case Scope::system: return __threadfence_system();
  }
}

}  // namespace hirace::gpu
