// A block that is being run: which of its threads run, wait, or are done.
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>

#include "../../checker/shadow.h"
#include "../check/semantics.h"
#include "../order/launch_order.h"
#include "../order/engine_use.h"
#include "arrivals.h"
#include "fiber.h"
#include "lockstep_thread.h"
#include "thread_run.h"
#include "../../cuda/vector_types.h"

namespace hirace::cpu {

// Threads of a block in order of arrival.
class WaitingRing {
 public:
  bool empty() const { return count_ == 0; }
  std::uint32_t size() const { return count_; }
  Waiting* front() const { return threads_[head_]; }
  Waiting* at(std::uint32_t i) const { return threads_[(head_ + i) % max_block_threads]; }

  void push(Waiting* thread) { threads_[(head_ + count_++) % max_block_threads] = thread; }

  void push_front(Waiting* thread) {
    head_ = (head_ + max_block_threads - 1) % max_block_threads;
    threads_[head_] = thread;
    ++count_;
  }

  Waiting* pop() {
    Waiting* const thread = threads_[head_];
    head_ = (head_ + 1) % max_block_threads;
    --count_;
    // If many threads wait, their stacks are no longer in the first-level cache: most of a switch
    // is spent waiting for the first line of one.
    if (count_ > 1) {
      __builtin_prefetch(threads_[head_]->stack_pointer);
      __builtin_prefetch(threads_[(head_ + 1) % max_block_threads]);
    }
    return thread;
  }

  Waiting* pop_last() { return threads_[(head_ + --count_) % max_block_threads]; }

  // Removes the thread `i` places after the head; the head thread moves to its place.
  Waiting* pop(std::uint32_t i) {
    Waiting*& place = threads_[(head_ + i) % max_block_threads];
    Waiting* const thread = place;
    place = threads_[head_];
    pop();
    return thread;
  }

  void move_to(WaitingRing& other) {
    while (count_ != 0) other.push(pop());
  }
  void clear() { head_ = count_ = 0; }

 private:
  std::uint32_t head_ = 0, count_ = 0;
  Waiting* threads_[max_block_threads];
};

// Lanes that wait for one another, all with the same mask. Several groups of one warp can wait at
// the same time, on disjoint masks or in divergent branches. Mask 0 means all lanes that reach
// `place` before the warp cannot continue.
struct LaneGroup {
  std::uint32_t mask;
  std::uint32_t arrived;
  std::uintptr_t place;
  Combine combine;

  bool complete(std::uint32_t live) const { return ((mask == 0 ? live : mask & live) & ~arrived) == 0; }
};

struct Cluster;

// A thread that waits for its block as a coroutine, and what is set again when it continues.
struct WaitingRegion : Waiting {
  Word me;
  SiteId call_site;
  Copier copies;
  bool stores_later;
};

// The threads of a block while all of them are coroutines that wait for the same barrier or run, one after the other:
// without fibers and rings, a barrier costs little more than the call of a function. Whatever else a thread does that
// others notice ends this (Worker::leave_lockstep).
struct Lockstep {
  LockstepThread threads[max_block_threads];
  std::size_t frame_bytes;
  // The numbers of those that run or wait. They run from `first` on, and continue at the beginning.
  std::uint16_t order[max_block_threads];
  std::uint32_t count;
  std::uint32_t first;
  std::uint32_t position;  // how many have run, or do, in this round
  std::uint32_t ended;     // how many of these have ended
  bool begins;             // threads of the block are begun; those that arrive are added
  bool last_has_ended;     // of these, the one that ran last has not arrived
  // What passing the barrier does to Monitor::me.
  Word kept, added;

  // The number of the thread in place `i` of the round.
  std::uint32_t at(std::uint32_t i) const {
    i += first;
    return order[i < count ? i : i - count];
  }
};

struct Warp {
  std::uint32_t groups;
  LaneGroup group[warp_lanes];
  Fiber* waiting[warp_lanes];
  LaneData* data[warp_lanes];
};

// Block barriers do not distinguish one __syncthreads from another, as on the hardware; the
// reductions are those of __syncthreads_count and its variants.
struct BlockBarrier {
  // Threads that arrived and those of them whose predicate was true: so far, and at the last
  // release. A thread reads the latter before it can arrive again.
  std::uint32_t arrived, true_so_far;
  std::uint32_t released, released_true;
  SiteId site;         // of the first thread to arrive
  SiteId exited_site;  // the last barrier reported as passed without exited threads
};

struct Block {
  std::uint64_t index = 0;      // linear number in the grid
  std::uint32_t threads = 0;
  const ThreadPlace* next_place = nullptr;  // the threads that have not begun
  const ThreadPlace* end_places = nullptr;
  std::uint32_t alive = 0;      // threads that have not exited
  std::uint32_t suspended = 0;      // threads that wait for a barrier or for lanes
  std::uint32_t low = 0;            // threads that have lost their priority
  std::uint64_t random = 0;         // state of the generator that picks threads; 0: natural order
  bool starts_first = false;        // starts all threads before it resumes any
  std::uint32_t preemption = 0;     // average accesses between preemptions; 0: no preemption
  std::uint32_t alive_at_turn = 0;  // threads that had not exited when a worker last switched to it
  bool turn_spun = false;           // a thread has spun since then
  std::uint32_t meetings = 0;       // threads that have passed a barrier, or met others of their warp, since then
  bool meeting_spun = false;        // a thread may have spun since a worker last looked at these
  std::uint32_t turn_meetings = 0;  // how often it has looked; see Worker::meets_without_end
  bool parked = false;              // in the list of parked blocks
  std::uint32_t grid_syncs = 0;     // grid barriers that it has reached
  bool first_was_lost = false;      // its first thread has ended in a fault
  bool any_was_lost = false;        // one of its threads has
  std::uint32_t not_modelled = 0;   // constructs executed that the checker does not follow
  DependencyWaits waits = {};       // for the launch before this one in its stream
  char* shared = nullptr;           // its shared memory
  // The start of the poison after its shared memory.
  std::optional<std::size_t> red_zone;
  Block* next_parked = nullptr;     // in the list of parked blocks, or in its pool
  Block* next_made = nullptr;       // in its pool
  WaitingRing* ready = &rings[0];
  WaitingRing* at_barrier = &rings[1];
  WaitingRing* yielded = &rings[2];  // threads that can run, but probably spin
  BlockBarrier barrier;
  HalvedBarrier halved;
  // By size: 64, 128, 256 and 512 threads.
  TileBarriers tiles[4];
  bool uses_tiles = false;
  const void* operands[max_block_threads];  // of threads that exchange values in such a tile
  std::uint64_t begun = 0;  // how many blocks have used this
  // In programs with clusters.
  Cluster* cluster = nullptr;
  std::uint32_t rank = 0;
  Arrivals at_cluster;
  // Lanes of each warp that have not exited; unstarted ones are live.
  std::uint32_t live[max_block_threads / warp_lanes];
  Warp warps[max_block_threads / warp_lanes];
  WaitingRing rings[3];
  // Only threads that wait as coroutines in a ring have one: the others' pages are never touched.
  alignas(WaitingRegion) unsigned char regions[max_block_threads][sizeof(WaitingRegion)];
  Lockstep lockstep;

  // All lanes of a warp, also those that have exited: bits of the last warp may be missing.
  std::uint32_t lanes_of_warp(std::uint32_t warp) const {
    const std::uint32_t lanes = threads - warp * warp_lanes;
    return lanes >= warp_lanes ? all_lanes : (std::uint32_t{1} << lanes) - 1;
  }

  bool has_unstarted() const { return next_place != end_places; }

  bool is_live(std::uint32_t thread) const { return (live[thread / warp_lanes] >> thread % warp_lanes & 1) != 0; }

  // Called when a thread has ended.
  void leave(std::uint32_t thread) {
    live[thread / warp_lanes] &= ~(std::uint32_t{1} << thread % warp_lanes);
    --alive;
  }

  // The threads at these places have ended.
  void leave(const ThreadPlace* from, const ThreadPlace* to) {
    const auto count = static_cast<std::uint32_t>(to - from);
    if (random != 0) {
      for (; from != to; ++from) leave(from->linear);
      return;
    }
    // In the natural order they are neighbours.
    alive -= count;
    for (std::uint32_t thread = from->linear, end = thread + count; thread != end;) {
      const std::uint32_t lane = thread % warp_lanes;
      const std::uint32_t lanes = std::min(warp_lanes - lane, end - thread);
      live[thread / warp_lanes] &= ~(all_lanes >> (warp_lanes - lanes) << lane);
      thread += lanes;
    }
  }

  // Whether the next thread to run is one that has not begun.
  bool starts_next() {
    if (!has_unstarted()) return false;
    return ready->empty() || (preemption != 0 ? draw(2) == 0 : starts_first);
  }

  void begin(std::uint64_t linear, std::uint32_t thread_count, const ThreadPlace* places, std::uint64_t seed) {
    index = linear;
    threads = alive = thread_count;
    next_place = places;
    end_places = places + thread_count;
    suspended = low = 0;
    random = seed;
    starts_first = (seed >> 63) != 0;
    preemption = 0;
    grid_syncs = 0;
    first_was_lost = any_was_lost = false;
    not_modelled = 0;
    if (waits.any) waits = {};
    ++begun;
    barrier.arrived = barrier.true_so_far = 0;
    barrier.exited_site = unknown_site;
    halved = {};
    at_cluster.clear();
    if (uses_tiles) begin_tiles();
    if (launch_is_ordered()) order::running->begin_barrier(&halved);
    for (std::uint32_t warp = 0; warp * warp_lanes < thread_count; ++warp) {
      live[warp] = lanes_of_warp(warp);
      warps[warp].groups = 0;
    }
  }

  // The next ready fiber: the oldest, or a random one in a shuffled schedule.
  Fiber* take_ready() {
    return static_cast<Fiber*>(random == 0 ? ready->pop() : ready->pop(draw(ready->size())));
  }

  // A random number below `end`, in a shuffled schedule.
  std::uint32_t draw(std::uint32_t end) {
    // xorshift64; the high bits are the most random.
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return static_cast<std::uint32_t>((random >> 32) * end >> 32);
  }

  // Lets all threads that wait at the barrier continue.
  void release_barrier() {
    if (launch_is_ordered()) order::running->block_barrier(index);
    meetings += barrier.arrived;
    barrier.released = barrier.arrived;
    barrier.released_true = barrier.true_so_far;
    barrier.arrived = barrier.true_so_far = 0;
    suspended -= at_barrier->size();
    if (ready->empty()) {
      std::swap(ready, at_barrier);
    } else {
      at_barrier->move_to(*ready);
    }
  }

  // The group with this mask, created if there is none.
  static LaneGroup& group_of(Warp& warp, std::uint32_t mask, std::uintptr_t place, Combine combine) {
    for (std::uint32_t i = 0; i < warp.groups; ++i) {
      LaneGroup& group = warp.group[i];
      if (group.mask == mask && (mask != 0 || group.place == place)) return group;
    }
    LaneGroup& added = warp.group[warp.groups++];
    added = {mask, 0, place, combine};
    return added;
  }

  // Whether lanes that meet are ordered by it: at a barrier of theirs, and not where they only exchange
  // values, unless the configuration says so (CUDA C++ Programming Guide, "Warp Shuffle Functions").
  static bool orders_lanes(const LaneGroup& group) {
    return group.mask != 0 && (group.combine == nullptr || semantics.shuffles_order);
  }

  // Gives the lanes of a group their results, lets them continue and removes the group.
  void release_group(Warp& warp, LaneGroup& group) {
    if (group.combine != nullptr) group.combine(warp.data, group.arrived);
    if (launch_is_ordered() && orders_lanes(group)) {
      const auto first = static_cast<std::uint32_t>(&warp - warps) * warp_lanes;
      order::running->meet(order::running->thread(index, first), group.arrived);
    }
    meetings += static_cast<std::uint32_t>(__builtin_popcount(group.arrived));
    for (std::uint32_t lanes = group.arrived; lanes != 0; lanes &= lanes - 1) {
      Fiber* const fiber = warp.waiting[__builtin_ctz(lanes)];
      if (fiber == nullptr) continue;  // the lane that came last never waited
      ready->push(fiber);
      --suspended;
    }
    group = warp.group[--warp.groups];
  }

  // A thread has exited: threads that waited only for it may continue.
  void thread_exited(std::uint32_t thread) {
    Warp& warp = warps[thread / warp_lanes];
    for (std::uint32_t i = 0; i < warp.groups;) {
      if (warp.group[i].complete(live[thread / warp_lanes])) {
        release_group(warp, warp.group[i]);
      } else {
        ++i;
      }
    }
    if (at_barrier->size() == alive && alive != 0) release_barrier();
  }

  // Whether every thread has arrived or exited.
  bool have_arrived(const Arrivals& arrivals) const {
    for (std::uint32_t warp = 0; warp * warp_lanes < threads; ++warp) {
      if ((live[warp] & ~arrivals.lanes_of(warp)) != 0) return false;
    }
    return true;
  }

  void begin_tiles() {
    uses_tiles = false;
    for (TileBarriers& tile : tiles) {
      tile = {};
      if (!launch_is_ordered()) continue;
      for (const std::uint32_t& phase : tile.phase) order::running->begin_barrier(&phase);
    }
  }

  // Ends the phase of a tile of several warps, from the thread `first`, if every thread of it has arrived or
  // exited.
  void complete_tile(TileBarriers& barriers, std::uint32_t first, std::uint32_t size) {
    const std::uint32_t begin = first / warp_lanes, end = (first + size) / warp_lanes;
    for (std::uint32_t warp = begin; warp != end && warp * warp_lanes < threads; ++warp) {
      if ((live[warp] & ~barriers.arrivals.lanes_of(warp)) != 0) return;
    }
    std::uint32_t& phase = barriers.phase[first / size];
    if (launch_is_ordered()) order::running->complete(&phase, phase);
    ++phase;
    for (std::uint32_t warp = begin; warp != end; ++warp) barriers.arrivals.clear(warp);
  }

  // Ends the phase of the halved barrier if every thread has arrived or exited.
  void complete_halved() {
    if (!have_arrived(halved.arrivals)) return;
    if (launch_is_ordered()) order::running->complete(&halved, halved.phase);
    ++halved.phase;
    halved.arrivals.clear();
  }

  // No thread can run, so every lane that could join a waiting __activemask() group has done so.
  // Returns whether there were such groups.
  bool release_converged() {
    bool released = false;
    for (std::uint32_t w = 0; w * warp_lanes < threads; ++w) {
      Warp& warp = warps[w];
      for (std::uint32_t i = 0; i < warp.groups;) {
        if (warp.group[i].mask == 0) {
          release_group(warp, warp.group[i]);
          released = true;
        } else {
          ++i;
        }
      }
    }
    return released;
  }
};

}  // namespace hirace::cpu
