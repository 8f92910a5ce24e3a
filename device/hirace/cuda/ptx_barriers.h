// PTX's barriers with numbers, mbarrier objects and asynchronous copies (PTX ISA, "bar", "mbarrier", "cp.async").
//
// Only a program that has such an instruction uses the order engine, so the functions are templates.
#pragma once

#include "../libraries/async_copy.h"
#include "../libraries/barrier_state.h"
#include "ptx.h"

namespace hirace::cpu::ptx {

// A barrier with a number. Those who arrive with a predicate vote; the votes of two phases are known.
struct NumberedBarrier : BarrierState {
  struct Votes {
    std::uint32_t phase, yes, no;
  } votes[2];

  void vote(std::uint32_t in_phase, bool predicate) {
    Votes& here = votes[in_phase % 2];
    if (here.phase != in_phase) here = {in_phase, 0, 0};
    ++(predicate ? here.yes : here.no);
  }
};
// The running block's barrier with this number, at which `threads` threads meet.
NumberedBarrier& numbered_barrier(std::uint32_t number, std::uint32_t threads);
// The state of an mbarrier object, whose eight bytes have no room for it.
BarrierState& barrier_object(const void* object);
// From now on, the object is another name of a barrier, whose state is elsewhere; or no longer, if that is null.
void name_barrier(const void* object, BarrierState* state);

inline NoCompletion no_completion;

template <class = void>
inline void pass_numbered_barrier(SiteId site, const NumberedBarrier& state, u32 phase) {
  state.wait(phase, site);
  order_wait(&state, phase, Scope::block, site);
  if (state.whole_block[phase % 2]) {
    pass_block_barrier();
  } else {
    barrier_not_modelled(site);
  }
}
template <class = void>
inline void barrier_sync(SiteId site, u32 number, u32 threads) {
  note_use<BarrierObject>();
  NumberedBarrier& state = numbered_barrier(number, threads);
  pass_numbered_barrier(site, state, state.arrive(1, true, Scope::block, no_completion, site));
}
// `bar.red`: what all who meet have voted.
template <class = void>
inline NumberedBarrier::Votes barrier_votes(SiteId site, u32 number, u32 threads, bool predicate) {
  note_use<BarrierObject>();
  NumberedBarrier& state = numbered_barrier(number, threads);
  const u32 phase = state.arrive(1, true, Scope::block, no_completion, site);
  // No other thread of the block has run since.
  state.vote(phase, predicate);
  pass_numbered_barrier(site, state, phase);
  return state.votes[phase % 2];
}
template <class = void>
inline u32 barrier_popc(SiteId site, u32 number, u32 threads, bool predicate) {
  return barrier_votes(site, number, threads, predicate).yes;
}
template <class = void>
inline bool barrier_or(SiteId site, u32 number, u32 threads, bool predicate) {
  return barrier_votes(site, number, threads, predicate).yes != 0;
}
template <class = void>
inline bool barrier_and(SiteId site, u32 number, u32 threads, bool predicate) {
  return barrier_votes(site, number, threads, predicate).no == 0;
}
template <class = void>
inline void barrier_arrive(SiteId site, u32 number, u32 threads) {
  note_use<BarrierObject>();
  barrier_not_modelled(site);
  numbered_barrier(number, threads).arrive(1, false, Scope::block, no_completion, site);
}

template <class = void>
inline void mbarrier_init(SiteId site, const void* object, u32 count) {
  note_use<BarrierObject>();
  order_object_made(object, 8, site);
  name_barrier(object, nullptr);
  barrier_object(object).begin(count);
}

template <class = void>
inline BarrierState& used_barrier(SiteId site, const void* object) {
  note_use<BarrierObject>();
  // Its operations are atomic for the whole cluster: their scope says only whom they synchronise.
  order_object_used(object, 8, Scope::cluster, site);
  barrier_not_modelled(site);
  return barrier_object(object);
}

// The state that an arrival returns: the phase, and the arrivals that it waited for before.
template <class = void>
inline u64 mbarrier_arrive(SiteId site, const void* object, Order order, Scope scope, u32 count, s32 bytes) {
  BarrierState& state = used_barrier(site, object);
  if (bytes != 0) state.expect(bytes, scope, no_completion);
  const u64 pending = state.pending;
  return state.arrive(count, false, scope, no_completion, site, order) | pending << 32;
}
template <class = void>
inline void mbarrier_expect(SiteId site, const void* object, Scope scope, s32 bytes) {
  used_barrier(site, object).expect(bytes, scope, no_completion);
}
template <class = void>
inline u64 mbarrier_drop(SiteId site, const void* object, Order order, Scope scope, u32 count, s32 bytes) {
  __atomic_sub_fetch(&barrier_object(object).expected, count, __ATOMIC_RELAXED);
  return mbarrier_arrive(site, object, order, scope, count, bytes);
}

// `fence.acquire` and `fence.release`.
template <class = void>
inline void half_fence(SiteId site, Scope scope, bool acquires) {
  note_use<Fence>();
  scheduling_point();
  record_construct(site, memory_fence);
  __atomic_thread_fence(acquires ? __ATOMIC_ACQUIRE : __ATOMIC_RELEASE);
  if (launch_is_ordered()) order_half_fence(scope, acquires);
}

template <class Over>
inline bool barrier_tried(SiteId site, BarrierState& state, Order order, Scope scope, const Over& over) {
  if (!over()) {
    let_others_run(site);
    if (!over()) return false;
  }
  order_wait(&state, __atomic_load_n(&state.phase, __ATOMIC_ACQUIRE) - 1, scope, site, order);
  return true;
}
template <class = void>
inline bool mbarrier_try_wait(SiteId site, const void* object, Order order, Scope scope, u64 token) {
  BarrierState& state = used_barrier(site, object);
  return barrier_tried(site, state, order, scope, [&] { return state.is_over(static_cast<u32>(token)); });
}
// Whether the phase with that parity is complete.
template <class = void>
inline bool mbarrier_try_wait_parity(SiteId site, const void* object, Order order, Scope scope, u32 parity) {
  BarrierState& state = used_barrier(site, object);
  return barrier_tried(site, state, order, scope, [&] { return __atomic_load_n(&state.phase, __ATOMIC_ACQUIRE) % 2 != (parity & 1); });
}
inline u32 mbarrier_pending_count(u64 token) { return static_cast<u32>(token >> 32); }

// The copies that the thread has issued arrive with the present phase; `counted`: as one of the expected arrivals.
template <class = void>
inline void mbarrier_arrive_copies(SiteId site, const void* object, bool counted) {
  BarrierState& state = used_barrier(site, object);
  order_arrive(&state, Scope::block, Copier::copies);
  if (counted) state.arrive(1, false, Scope::block, no_completion);
}

// Copies `copied` of the bytes, and fills the others with zeros.
template <class = void>
inline void copy_async(SiteId site, void* to, const void* from, u32 bytes, u32 copied) {
  copy_and_fill({site, site}, to, from, bytes, copied < bytes ? bytes - copied : 0);
}

}  // namespace hirace::cpu::ptx
