// How threads that are coroutines (regions.h) wait at barriers of their block: in lockstep as long as all of them do
// nothing else that others notice, and in the block's rings beside fibers otherwise. The order in which they run is the
// same in both cases: the last thread to arrive continues first, and the others follow in the order of their arrival.
#pragma once

#include <cstring>

#include "interruption.h"
#include "scheduler.h"

namespace hirace::cpu {

inline bool Worker::end_region(void* frame, SiteId site) {
  settle();
  if (monitor.awaits_value) settle_write();
  const bool leaves = lockstep_now.active || leaves_stack();
  if (leaves && !lockstep_now.active && is_first_to_arrive()) begin_lockstep(0);
  const bool plain = monitor.copies == Copier::none && !monitor.stores_later && monitor.call_site == unknown_site;
  const Lockstep& lockstep = block_->lockstep;
  const bool is_first = lockstep.begins ? lockstep.count == 0 : lockstep_now.site == unknown_site;
  if (lockstep_now.active && plain && (is_first || block_->barrier.site == site)) {
    arrive_in_lockstep(site);
    return true;
  }
  leave_lockstep();
  if (!leaves) {
    block_barrier(site);
    return false;
  }
  Block& block = *block_;
  arrive();
  note_barrier(block, site);
  ++block.barrier.arrived;
  leave_stack(frame, site);
  return true;
}

// Whether no other thread of the block waits or is ready: all others have ended, or have not begun. A thread that is
// left alone may run in a round that others have left (run_lockstep), and is none.
inline bool Worker::is_first_to_arrive() const {
  const Block& block = *block_;
  const auto unstarted = static_cast<std::uint32_t>(block.end_places - block.next_place);
  return unstarted != 0 && block.alive == unstarted + 1;
}

// Only the first thread of a round comes here, and all of the first round; the others need no more than
// RegionBarrier does.
inline void Worker::arrive_in_lockstep(SiteId site) {
  Block& block = *block_;
  Lockstep& lockstep = block.lockstep;
  lockstep_now.site = block.barrier.site = site;
  lockstep_now.thread->me = monitor.me;
  lockstep_now.arrived = true;
  // Threads that begin come one by one.
  if (lockstep.begins) {
    lockstep.order[lockstep.count++] = static_cast<std::uint16_t>(current_->thread);
    ++lockstep.position;
    lockstep_now.site = unknown_site;
  }
}

// What a ring needs to know of a thread that waits at the barrier of the block, or has just passed it.
inline WaitingRegion& Worker::wait_in_ring(std::uint32_t number, const LockstepThread& from) {
  WaitingRegion& thread = *new (block_->regions[number]) WaitingRegion;
  thread.stack_pointer = from.frame;
  thread.thread = number;
  thread.site = block_->barrier.site;
  thread.has_stack = false;
  thread.me = from.me;
  thread.call_site = unknown_site;
  thread.copies = Copier::none;
  thread.stores_later = false;
  return thread;
}

// The running thread waits for its block in a ring, and leaves the stack that it runs on.
inline void Worker::leave_stack(void* frame, SiteId site) {
  Block& block = *block_;
  WaitingRegion& thread = wait_in_ring(current_->thread, {frame, monitor.me});
  thread.site = site;
  thread.call_site = monitor.call_site;
  thread.copies = std::exchange(monitor.copies, Copier::none);
  thread.stores_later = std::exchange(monitor.stores_later, false);
  left_stack_ = true;
  block.meeting_spun |= spin_noted;
  if (block.at_barrier->size() + 1 == block.alive) {
    block.release_barrier();
    block.ready->push_front(&thread);
    continue_in_lockstep();
  } else {
    block.at_barrier->push(&thread);
    ++block.suspended;
  }
}

// Threads in `Lockstep::order` wait at the barrier that has just been passed.
inline void Worker::begin_lockstep(std::uint32_t count) {
  Lockstep& lockstep = block_->lockstep;
  lockstep.count = count;
  lockstep.first = lockstep.position = lockstep.ended = 0;
  lockstep.begins = count == 0;
  lockstep.kept = ~Word{0};
  lockstep.added = 0;
  lockstep_now.active = true;
  lockstep_now.site = unknown_site;
}

// If all threads of the block are ready, as coroutines.
inline void Worker::continue_in_lockstep() {
  Block& block = *block_;
  Lockstep& lockstep = block.lockstep;
  const std::uint32_t count = block.ready->size();
  if (count != block.alive) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Waiting& waiting = *block.ready->at(i);
    if (waiting.has_stack) return;
    const auto& thread = static_cast<const WaitingRegion&>(waiting);
    if (thread.copies != Copier::none || thread.stores_later || thread.call_site != unknown_site) return;
    lockstep.threads[thread.thread].me = thread.me;
    lockstep.order[i] = static_cast<std::uint16_t>(thread.thread);
  }
  begin_lockstep(count);
  if (pass_barrier(lockstep)) {
    block.ready->clear();
  } else {
    lockstep_now.active = false;
  }
}

// Prepares what resumed threads do to their clocks, or to their times: all of the block have the same one. False if a
// clock cannot count another barrier.
inline bool Worker::pass_barrier(Lockstep& lockstep) {
  if (!current_launch.monitored) return true;
  if (launch_is_ordered()) {
    const Word times = current_launch.layout.time_field() | unchecked_flag;
    monitor.me = lockstep.threads[lockstep.at(0)].me;
    renew_time();
    lockstep.kept = ~times;
    lockstep.added = monitor.me & times;
    return true;
  }
  if (current_launch.begins_early) monitor.waits->pass_block_barrier();
  const Layout& layout = current_launch.layout;
  if ((lockstep.threads[lockstep.at(0)].me & layout.block_clock_field) == layout.block_clock_field) return false;
  lockstep.kept = ~(layout.warp_clock_field | unchecked_flag);
  lockstep.added = Word{1} << layout.block_clock_shift;
  return true;
}

// The running thread goes on in the present stack, and others wait and run as usual.
inline void Worker::end_lockstep() {
  lockstep_now.active = false;
  lockstep_now.site = unknown_site;
  Block& block = *block_;
  Lockstep& lockstep = block.lockstep;
  std::uint32_t arrived = 0;
  for (std::uint32_t i = 0; i < lockstep.count; ++i) {
    const std::uint32_t number = lockstep.at(i);
    const LockstepThread& from = lockstep.threads[number];
    const bool runs = number == current_->thread && i + 1 == lockstep.position && !lockstep_now.arrived;
    if (from.frame == nullptr || runs) continue;
    const bool waits = i < lockstep.position;
    (waits ? block.at_barrier : block.ready)->push(&wait_in_ring(number, from));
    arrived += waits ? 1 : 0;
  }
  block.suspended += arrived;
  block.barrier.arrived = arrived;
}

inline void resume(void* frame) {
  // A coroutine's frame begins with the function that resumes it, whichever compiler made it.
  (*static_cast<void (**)(void*)>(frame))(frame);
}

// Runs each thread of a round after the other, until all have ended or one goes on in the present stack.
inline void Worker::run_lockstep() {
  Block& block = *block_;
  Lockstep& lockstep = block.lockstep;
  LockstepNow& now = lockstep_now;
  // Of a block with one dimension, the number is the index.
  const ThreadPlace* const places = blockDim.y == 1 && blockDim.z == 1 ? nullptr : launch_->order;
  do {
    const std::uint32_t count = lockstep.count;
    std::uint32_t position = lockstep.position, place = lockstep.first + position;
    while (position != count) {
      if (place >= count) place -= count;
      const std::uint32_t number = lockstep.order[place++];
      lockstep.position = ++position;
      LockstepThread& thread = lockstep.threads[number];
      now.thread = &thread;
      now.arrived = false;
      current_->thread = number;
      threadIdx = places == nullptr ? uint3{number, 0, 0} : places[number].index;
      monitor.me = (thread.me & lockstep.kept) + lockstep.added;
      if (monitor.budget != access_budget - 1) monitor.set_budget(access_budget);
      resume(thread.frame);
      if (__builtin_expect(spin_noted, 0)) {
        block.meeting_spun = true;
        spin_noted = false;
      }
      if (__builtin_expect(!now.arrived, 0)) {
        if (left_stack_ || !now.active) return stop_thread();
        block.leave(number);
        ++lockstep.ended;
      }
    }
  } while (begin_round());
}

// All threads have arrived or ended. Returns whether those that have arrived continue in lockstep.
inline bool Worker::begin_round() {
  Block& block = *block_;
  Lockstep& lockstep = block.lockstep;
  if (lockstep.ended == lockstep.count) {
    lockstep_now.active = false;
    lockstep_now.site = unknown_site;
    return false;
  }
  const LockstepThread& last = lockstep.threads[lockstep.at(lockstep.count - 1)];
  const bool exited = block.alive != block.threads && block.barrier.exited_site != block.barrier.site;
  const std::uint32_t arrivals = lockstep.count - lockstep.ended;
  if (__builtin_expect(exited || lockstep.ended != 0, 0)) {
    const bool last_has_arrived = lockstep.begins ? !lockstep.last_has_ended : last.frame != nullptr;
    end_lockstep();
    note_exited(block);
    Waiting* const waiting = last_has_arrived ? block.at_barrier->pop_last() : nullptr;
    if (waiting != nullptr) --block.suspended;
    block.release_barrier();
    if (waiting != nullptr) block.ready->push_front(waiting);
    continue_in_lockstep();
    return lockstep_now.active;
  }
  if (launch_is_ordered()) order::running->block_barrier(block.index);
  block.meetings += arrivals;
  lockstep.first = lockstep.first == 0 ? lockstep.count - 1 : lockstep.first - 1;
  lockstep.position = 0;
  lockstep.begins = false;
  lockstep_now.site = unknown_site;
  if (__builtin_expect(block.meetings <= spinning_meetings * block.alive && pass_barrier(lockstep), 1)) return true;
  end_lockstep();
  return false;
}

inline void Worker::resume_region(WaitingRegion& thread) {
  current_->thread = thread.thread;
  lockstep_now.thread = &block_->lockstep.threads[thread.thread];
  lockstep_now.arrived = false;
  monitor.me = thread.me;
  monitor.call_site = thread.call_site;
  monitor.copies = thread.copies;
  monitor.stores_later = thread.stores_later;
  if (launch_is_ordered()) renew_time();
  renew_budget();
  // Threads are in the natural order.
  threadIdx = launch_->order[thread.thread].index;
  resume(thread.stack_pointer);
}

HIRACE_RUNTIME bool end_region(void* frame, SiteId site) { return this_worker->end_region(frame, site); }

HIRACE_RUNTIME void* take_region_frame(std::size_t bytes) {
  void* const frame = this_worker->frames().take(bytes);
  this_worker->note_frame(frame, bytes);
  return frame;
}

HIRACE_RUNTIME void give_back_region_frame(void* frame, std::size_t bytes) {
  this_worker->forget_frame();
  this_worker->frames().give_back(frame, bytes);
}

}  // namespace hirace::cpu
