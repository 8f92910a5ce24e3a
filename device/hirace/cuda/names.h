// CUDA's own names for barriers, warp intrinsics, fences and atomics, for code that was not
// instrumented: third-party headers, macros. They are checked and advance clocks like the hooks,
// but reports cannot name their site.
#pragma once

#include "../hooks/atomic.h"
#include "../hooks/sync.h"
#include "../executor/scheduler/warp.h"

inline void __syncthreads() { hirace::syncthreads(hirace::unknown_site); }
inline int __syncthreads_count(int predicate) { return hirace::syncthreads_count(hirace::unknown_site, predicate); }
inline int __syncthreads_and(int predicate) { return hirace::syncthreads_and(hirace::unknown_site, predicate); }
inline int __syncthreads_or(int predicate) { return hirace::syncthreads_or(hirace::unknown_site, predicate); }
inline void __syncwarp() { hirace::syncwarp(hirace::unknown_site); }
template <class Mask>
inline void __syncwarp(Mask mask) {
  hirace::syncwarp(hirace::unknown_site, mask);
}
template <class = void>
inline void __threadfence() {
  hirace::threadfence(hirace::unknown_site);
}
template <class = void>
inline void __threadfence_cluster() {
  hirace::threadfence_cluster(hirace::unknown_site);
}
template <class = void>
inline void __threadfence_block() {
  hirace::threadfence_block(hirace::unknown_site);
}
template <class = void>
inline void __threadfence_system() {
  hirace::threadfence_system(hirace::unknown_site);
}

__attribute__((always_inline)) inline unsigned __activemask() { return hirace::cpu::activemask(); }
inline unsigned __lanemask_lt() { return (1u << hirace::cpu::current_lane()) - 1; }

#define HIRACE_PLAIN_SHUFFLE(name)                                                           \
  template <class T, class Lane>                                                             \
  inline T __##name(unsigned mask, T value, Lane lane, int width = warpSize) {               \
    return hirace::name(hirace::unknown_site, mask, value, lane, width);                     \
  }
HIRACE_PLAIN_SHUFFLE(shfl_sync)
HIRACE_PLAIN_SHUFFLE(shfl_up_sync)
HIRACE_PLAIN_SHUFFLE(shfl_down_sync)
HIRACE_PLAIN_SHUFFLE(shfl_xor_sync)
#undef HIRACE_PLAIN_SHUFFLE

inline unsigned __ballot_sync(unsigned mask, int predicate) { return hirace::ballot_sync(hirace::unknown_site, mask, predicate); }
inline int __any_sync(unsigned mask, int predicate) { return hirace::any_sync(hirace::unknown_site, mask, predicate); }
inline int __all_sync(unsigned mask, int predicate) { return hirace::all_sync(hirace::unknown_site, mask, predicate); }

namespace hirace {

template <class T, class Operation>
T reduce_sync(SiteId site, unsigned mask, T value, const Operation& operation) {
  bool whole_warp = false;
  const T result = cpu::reduce_sync(site, mask, value, operation, whole_warp);
  after_warp_barrier(site, whole_warp);
  return result;
}

template <class T, class Operation>
T scan_sync(SiteId site, unsigned mask, T value, const Operation& operation) {
  bool whole_warp = false;
  const T result = cpu::scan_sync(site, mask, value, operation, whole_warp);
  after_warp_barrier(site, whole_warp);
  return result;
}

}  // namespace hirace

template <class T>
inline unsigned __match_any_sync(unsigned mask, T value) {
  return hirace::match_any_sync(hirace::unknown_site, mask, value);
}
template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int* predicate) {
  return hirace::match_all_sync(hirace::unknown_site, mask, value, predicate);
}

#define HIRACE_PLAIN_REDUCTION(name, type)                            \
  inline type __##name(unsigned mask, type value) {                   \
    return hirace::name(hirace::unknown_site, mask, value);           \
  }
HIRACE_PLAIN_REDUCTION(reduce_add_sync, int)
HIRACE_PLAIN_REDUCTION(reduce_add_sync, unsigned)
HIRACE_PLAIN_REDUCTION(reduce_min_sync, int)
HIRACE_PLAIN_REDUCTION(reduce_min_sync, unsigned)
HIRACE_PLAIN_REDUCTION(reduce_max_sync, int)
HIRACE_PLAIN_REDUCTION(reduce_max_sync, unsigned)
HIRACE_PLAIN_REDUCTION(reduce_and_sync, unsigned)
HIRACE_PLAIN_REDUCTION(reduce_or_sync, unsigned)
HIRACE_PLAIN_REDUCTION(reduce_xor_sync, unsigned)
#undef HIRACE_PLAIN_REDUCTION

// Templates, so that a program's own overload for a type that CUDA lacks is preferred.
#define HIRACE_PLAIN_ATOMIC(name)                                    \
  template <class T, class... Operands>                              \
  inline auto name(T* address, Operands... operands) {               \
    return hirace::name(hirace::unknown_site, address, operands...); \
  }
#define HIRACE_PLAIN_ATOMIC_SCOPES(name) \
  HIRACE_PLAIN_ATOMIC(name)              \
  HIRACE_PLAIN_ATOMIC(name##_block)      \
  HIRACE_PLAIN_ATOMIC(name##_system)
HIRACE_PLAIN_ATOMIC_SCOPES(atomicAdd)
HIRACE_PLAIN_ATOMIC_SCOPES(atomicSub)
HIRACE_PLAIN_ATOMIC_SCOPES(atomicExch)
HIRACE_PLAIN_ATOMIC_SCOPES(atomicMin)
HIRACE_PLAIN_ATOMIC_SCOPES(atomicMax)
HIRACE_PLAIN_ATOMIC_SCOPES(atomicInc)
HIRACE_PLAIN_ATOMIC_SCOPES(atomicDec)
HIRACE_PLAIN_ATOMIC_SCOPES(atomicCAS)
HIRACE_PLAIN_ATOMIC_SCOPES(atomicAnd)
HIRACE_PLAIN_ATOMIC_SCOPES(atomicOr)
HIRACE_PLAIN_ATOMIC_SCOPES(atomicXor)
#undef HIRACE_PLAIN_ATOMIC_SCOPES
#undef HIRACE_PLAIN_ATOMIC
