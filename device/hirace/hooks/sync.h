// The hooks around barriers, warp intrinsics and fences.
//
// A barrier advances the clocks of the threads that pass it (HiRace, section III);
// the executor or the hardware does the waiting. Order as in the CUDA C++
// Programming Guide: "Synchronization Functions", "Warp Shuffle Functions", "Warp
// Vote Functions". Warp intrinsics that exchange values order no memory, unless the configuration
// says so.
//
// Functions that order accesses by other means than a barrier of a whole block or warp are templates:
// a program that has a call of one uses the order engine (backend::note_use).
#pragma once

#include "access.h"
#include "atomic.h"

#if HIRACE_GPU
#include "../gpu/sync.h"
#else
#include "../executor/scheduler/fences.h"
#endif

namespace hirace {

HIRACE_SYNC_HOOK void syncthreads(SiteId site) {
  backend::block_barrier(site);
  backend::pass_block_barrier();
}

HIRACE_SYNC_HOOK int syncthreads_count(SiteId site, int predicate) {
  const int result = backend::block_barrier_count(site, predicate);
  backend::pass_block_barrier();
  return result;
}

HIRACE_SYNC_HOOK int syncthreads_and(SiteId site, int predicate) {
  const int result = backend::block_barrier_and(site, predicate);
  backend::pass_block_barrier();
  return result;
}

HIRACE_SYNC_HOOK int syncthreads_or(SiteId site, int predicate) {
  const int result = backend::block_barrier_or(site, predicate);
  backend::pass_block_barrier();
  return result;
}

// A barrier for part of a warp orders lanes in a way that two clocks per thread
// cannot express. It advances no clock, so that it hides no race, and is recorded
// as not modelled, so that a race between lanes of this kernel is only possible.
HIRACE_DEVICE_HOOK void after_warp_barrier(SiteId site, bool whole_warp) {
  if (whole_warp) {
    backend::pass_warp_barrier();
  } else {
    backend::record_not_modelled(site, partial_warp_barrier);
  }
}

HIRACE_SYNC_HOOK void syncwarp(SiteId site) { after_warp_barrier(site, backend::warp_barrier(site, 0xffffffffu)); }

template <class Mask>
HIRACE_SYNC_HOOK void syncwarp(SiteId site, Mask mask) {
  backend::note_use<PartialWarpBarrier>();
  after_warp_barrier(site, backend::warp_barrier(site, static_cast<unsigned>(mask)));
}

// After lanes have exchanged values.
HIRACE_DEVICE_HOOK void after_exchange(SiteId site, bool whole_warp) {
  if (backend::shuffles_order()) after_warp_barrier(site, whole_warp);
}

#define HIRACE_SHUFFLE(name)                                                                               \
  template <class T, class Lane>                                                                           \
  HIRACE_SYNC_HOOK T name(SiteId site, unsigned mask, T value, Lane lane, int width = int{warp_lanes}) { \
    bool whole_warp = false;                                                                               \
    const T result = backend::name(site, mask, value, lane, width, whole_warp);                            \
    after_exchange(site, whole_warp);                                                                      \
    return result;                                                                                         \
  }

HIRACE_SHUFFLE(shfl_sync)
HIRACE_SHUFFLE(shfl_up_sync)
HIRACE_SHUFFLE(shfl_down_sync)
HIRACE_SHUFFLE(shfl_xor_sync)

#undef HIRACE_SHUFFLE

#define HIRACE_VOTE(result_type, name)                                                \
  HIRACE_SYNC_HOOK result_type name(SiteId site, unsigned mask, int predicate) {    \
    bool whole_warp = false;                                                          \
    const result_type result = backend::name(site, mask, predicate, whole_warp);      \
    after_exchange(site, whole_warp);                                                 \
    return result;                                                                    \
  }

HIRACE_VOTE(unsigned, ballot_sync)
HIRACE_VOTE(int, any_sync)
HIRACE_VOTE(int, all_sync)

#undef HIRACE_VOTE

// Lanes with an equal value, and reductions over the lanes of a mask.
template <class T>
HIRACE_SYNC_HOOK unsigned match_any_sync(SiteId site, unsigned mask, T value) {
  bool whole_warp = false;
  const unsigned result = backend::match_any_sync(site, mask, value, whole_warp);
  after_exchange(site, whole_warp);
  return result;
}

template <class T>
HIRACE_SYNC_HOOK unsigned match_all_sync(SiteId site, unsigned mask, T value, int* predicate) {
  bool whole_warp = false;
  const unsigned result = backend::match_all_sync(site, mask, value, predicate, whole_warp);
  after_exchange(site, whole_warp);
  return result;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HIRACE_REDUCTION(name, type)                                                  \
  HIRACE_SYNC_HOOK type name(SiteId site, unsigned mask, type value) {              \
    bool whole_warp = false;                                                          \
    const type result = backend::name(site, mask, value, whole_warp);                 \
    after_exchange(site, whole_warp);                                                 \
    return result;                                                                    \
  }

HIRACE_REDUCTION(reduce_add_sync, int)
HIRACE_REDUCTION(reduce_add_sync, unsigned)
HIRACE_REDUCTION(reduce_min_sync, int)
HIRACE_REDUCTION(reduce_min_sync, unsigned)
HIRACE_REDUCTION(reduce_max_sync, int)
HIRACE_REDUCTION(reduce_max_sync, unsigned)
HIRACE_REDUCTION(reduce_and_sync, unsigned)
HIRACE_REDUCTION(reduce_or_sync, unsigned)
HIRACE_REDUCTION(reduce_xor_sync, unsigned)
#else
// Templates, so that code that never runs below compute capability 8.0 still compiles there.
#define HIRACE_REDUCTION(name)                                                                              \
  template <class T>                                                                                        \
  HIRACE_SYNC_HOOK T name(SiteId, unsigned, T value) {                                                      \
    static_assert(sizeof(T) == 0, "__" #name " needs compute capability 8.0 or later, such as -arch=sm_80"); \
    return value;                                                                                           \
  }

HIRACE_REDUCTION(reduce_add_sync)
HIRACE_REDUCTION(reduce_min_sync)
HIRACE_REDUCTION(reduce_max_sync)
HIRACE_REDUCTION(reduce_and_sync)
HIRACE_REDUCTION(reduce_or_sync)
HIRACE_REDUCTION(reduce_xor_sync)
#endif

#undef HIRACE_REDUCTION

// Fences order accesses only together with an atomic or a volatile flag, which
// the state machine does not follow.
//
// `__threadfence()` and the like are fence.sc (PTX ISA, "membar").
template <class = void>
HIRACE_SYNC_HOOK void fence(SiteId site, Scope scope, bool sequential) {
  backend::note_use<Fence>();
  backend::scheduling_point();
  backend::record_construct(site, memory_fence);
  backend::fence(scope, sequential);
}
template <class = void>
HIRACE_SYNC_HOOK void threadfence_block(SiteId site) {
  fence(site, Scope::block, true);
}
template <class = void>
HIRACE_SYNC_HOOK void threadfence_cluster(SiteId site) {
  fence(site, Scope::cluster, true);
}
template <class = void>
HIRACE_SYNC_HOOK void threadfence(SiteId site) {
  fence(site, Scope::device, true);
}
template <class = void>
HIRACE_SYNC_HOOK void threadfence_system(SiteId site) {
  fence(site, Scope::system, true);
}
template <class = void>
HIRACE_SYNC_HOOK void acq_rel_fence_block(SiteId site) {
  fence(site, Scope::block, false);
}
template <class = void>
HIRACE_SYNC_HOOK void acq_rel_fence_cluster(SiteId site) {
  fence(site, Scope::cluster, false);
}
template <class = void>
HIRACE_SYNC_HOOK void acq_rel_fence(SiteId site) {
  fence(site, Scope::device, false);
}
template <class = void>
HIRACE_SYNC_HOOK void acq_rel_fence_system(SiteId site) {
  fence(site, Scope::system, false);
}

// __nv_atomic_thread_fence, with the values of __NV_ATOMIC_RELAXED, ... _SEQ_CST and of
// __NV_THREAD_SCOPE_THREAD, ... _SYSTEM. A relaxed fence and one for the thread alone order nothing.
template <class = void>
HIRACE_SYNC_HOOK void nv_atomic_thread_fence(SiteId site, int order, int scope = 4) {
  constexpr Scope scopes[] = {Scope::block, Scope::block, Scope::cluster, Scope::device, Scope::system};
  if (order == 0 || scope == 0) return;
  fence(site, scopes[scope], order == 5);
}

// Any other construct that may order accesses: inline PTX barriers, cuda::barrier.
HIRACE_HOOK void not_modelled(SiteId site) { backend::record_construct(site, other_construct); }

}  // namespace hirace
