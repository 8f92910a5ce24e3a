// A worker: one OS thread that runs the CUDA threads of the blocks it has claimed.
//
// Worker-loop fibers: a fiber starts one CUDA thread after the other in a plain loop. Only when a
// thread must wait does its fiber stay with it, and another fiber continues the loop. A kernel
// without barriers never switches.
//
// Which thread runs next: one of this block that can continue, else one that has not started, else
// one of another block. Threads that use up their budget of accesses may be spinning; they continue
// after all others, block after block, and a worker whose blocks only spin starts further ones.
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>

#include "../../hooks/launch.h"
#include "block.h"
#include "block_order.h"
#include "block_pool.h"
#include "../builtins.h"
#include "../check/monitor.h"
#include "poll_watch.h"
#include "scheduler_interface.h"
#include "../memory/shared_layout.h"

namespace hirace::cpu {

// One launch, as all its workers see it.
struct Launch {
  const char* kernel;
  SiteId site;
  void* body;
  void (*run)(void* body);  // the worker loop around the body
  dim3 grid, block;
  std::uint64_t blocks;
  std::uint32_t threads;
  std::size_t dynamic_shared;
  bool cooperative;
  bool overlaps;                            // other work by the host could run at the same time
  std::uint64_t seed;                       // of this launch; 0: natural order
  BlockPermutation block_order;
  std::uint32_t preemption;                 // Block::preemption of its blocks
  std::uint64_t claim_size;                 // blocks that a worker claims at a time
  const ThreadPlace* order;                 // with a seed, stored twice: blocks begin anywhere in it
  std::atomic<std::uint64_t> next_block{0};

  // The grid barrier. grid_arrived counts blocks that wait at it, and, in units of done_block,
  // blocks that are done and no longer count; grid_syncs counts grid barriers passed.
  static constexpr std::uint64_t waiting_block = 1, done_block = std::uint64_t{1} << 32;
  std::atomic<std::uint64_t> grid_arrived{0};
  std::atomic<std::uint32_t> grid_syncs{0};
  // The barrier in two halves, with the order engine: threads that have arrived, and phases.
  std::uint64_t halves_arrived = 0;
  std::uint32_t halves_phase = 0;

  void arrive_at_grid_barrier(std::uint64_t how) {
    const std::uint64_t arrived = grid_arrived.fetch_add(how) + how;
    const std::uint64_t waiting = arrived % done_block;
    if (waiting == 0 || waiting + arrived / done_block != blocks) return;
    // All threads of the grid wait for this one.
    next_epoch();
    if (order::running != nullptr) order::running->launch_barrier();
    grid_arrived.fetch_sub(waiting);
    grid_syncs.fetch_add(1);
  }
};

// Threads pass a barrier that others of their block will not reach.
inline void note_exited(Block& block) {
  BlockBarrier& barrier = block.barrier;
  if (barrier.site == unknown_site || barrier.site == barrier.exited_site) return;
  barrier.exited_site = barrier.site;
  report_fault(Fault::barrier_after_exit, barrier.site, 0);
}

class Worker;
inline thread_local Worker* this_worker = nullptr;
// The running thread has seen a value that only another thread can change. Each such value uses up
// budget, so that a few dozen in a row count as waiting.
inline thread_local bool spin_noted = false;

class Worker {
 public:
  Worker() : pool_(&Worker::fiber_loop) {}

  // Runs blocks of the launch until there are no more to claim.
  void run(Launch& launch) {
    launch_ = &launch;
    gridDim = launch.grid;
    blockDim = launch.block;
    claimed_ = claimed_end_ = 0;
    idle_turns_ = 0;
    turns_to_watch_ = first_turns_to_watch;
    // How many blocks are resident at a time depends on the seed.
    if (launch.seed != 0) blocks_.prepare(std::min({launch.blocks, most_resident_blocks(), most_prepared}), launch.dynamic_shared);
    begin_worker();
    if (start_block()) {
      current_ = pool_.take();
      switch_fiber(main_, *current_);
    }
    end_worker();
    gridDim = blockDim = dim3();
    threadIdx = blockIdx = uint3{0, 0, 0};
    launch_ = nullptr;
  }

  bool running() const { return launch_ != nullptr; }
  const Launch& launch() const { return *launch_; }
  Launch& launch() { return *launch_; }
  Block& block() { return *block_; }
  Fiber& fiber() { return *current_; }
  const FiberPool& pool() const { return pool_; }

  // Prepares the next unstarted thread; false if the loop must stop.
  bool start_thread() {
    if (!block_->starts_next()) return false;
    begin_thread();
    renew_budget();
    return true;
  }

  // Ends the current thread, then acts as start_thread(). The inline part covers kernels without
  // barriers: they call it once per thread, and some do little else.
  bool finish_thread() {
    Block& block = *block_;
    if (__builtin_expect(watch_.active() || block.suspended != 0 || block.preemption != 0, 0)) return finish_thread_slowly();
    block.leave(current_->thread);
    if (!block.has_unstarted() || (!block.starts_first && !block.ready->empty())) return false;
    begin_thread();
    spin_noted = false;
    monitor.set_budget(access_budget);
    return true;
  }

  // Suspends the running thread, and returns when it is resumed: by another thread, or at once if
  // no other can run.
  void suspend(SiteId site, std::uint32_t waits_for) {
    Fiber& self = *current_;
    self.block = block_;
    self.site = site;
    self.waits_for = waits_for;
    const Word me = monitor.me;
    const bool copies = monitor.copies;
    const uint3 index = threadIdx;
    monitor.copies = false;
    switch_to(*next_fiber());
    monitor.me = me;
    monitor.copies = copies;
    renew_budget();
    threadIdx = index;
  }

  // Lets others run before the current thread continues. `waits`: it cannot continue alone.
  void yield(bool waits) {
    if (__builtin_expect(watch_.active(), 0)) watch_.turn(*current_);
    if (__builtin_expect(watch_.active(), 0)) return yield_watched();
    const bool spins = waits || spin_noted;
    if (!spins && block_->preemption != 0) {
      if (block_->draw(preemptions_per_yield) != 0) return preempt();
    } else if (!spins && ++quiet_budgets_ < quiet_budgets_per_yield) {
      monitor.set_budget(access_budget);
      return;
    }
    quiet_budgets_ = 0;
    block_->turn_spun |= spins;
    block_->yielded->push(current_);
    suspend(monitor.site, 0);
    // A thread that must wait again notices this quickly.
    if (spins) monitor.set_budget(2 * spin_cost);
  }

  // The current thread reaches a barrier.
  void arrive() { watch_.end(); }

  // The current thread released others; in a shuffled schedule they may go first.
  void released() {
    if (block_->random != 0) preempt();
  }

  // Sets how many accesses the running thread may make before the scheduler checks whether it spins
  // or, in some schedules, preempts it.
  void renew_budget() {
    spin_noted = false;
    Block& block = *block_;
    monitor.set_budget(block.preemption == 0 ? access_budget : static_cast<std::int32_t>(1 + block.draw(2 * block.preemption)));
  }

 private:
  // A bound on memory: threads that have begun and not ended, in blocks that only spin. Blocks of a
  // cooperative launch are all resident, as guaranteed.
  static constexpr std::uint32_t max_resident_threads = 16384;
  std::uint64_t most_resident_blocks() const { return (max_resident_threads + launch_->threads - 1) / launch_->threads + 1; }
  // More blocks are resident only if they are tiny and spin.
  static constexpr std::uint64_t most_prepared = 64;
  // Preemptions after which a thread continues after all others of its block, and the block after
  // all other blocks.
  static constexpr std::uint32_t preemptions_per_yield = 8;
  // Enough for most launches that make progress without any thread ending.
  static constexpr std::uint64_t first_turns_to_watch = 256;
  // A thread that works and does not wait may use this many budgets first.
  static constexpr std::uint32_t quiet_budgets_per_yield = 16;
  // The weight of a block's turn in which its threads spun; 1 if they only ran long.
  static constexpr std::uint32_t spinning_turn = 4;

  void begin_thread() {
    Block& block = *block_;
    const ThreadPlace& place = *block.next_place++;
    current_->thread = place.linear;
    threadIdx = place.index;
    enter_thread(block.index, place.linear);
  }

  __attribute__((noinline)) bool finish_thread_slowly() {
    Block& block = *block_;
    const std::uint32_t thread = current_->thread;
    block.leave(thread);
    watch_.end();
    if (block.suspended != 0) {
      if (block.alive != 0 && block.at_barrier->size() == block.alive) note_exited(block);
      block.thread_exited(thread);
    }
    return start_thread();
  }

  static void fiber_loop() {
#ifdef __GCC_HAVE_DWARF2_CFI_ASM
    // This function has no caller: backtraces end here.
#if defined(__x86_64__)
    asm volatile(".cfi_undefined rip");
#elif defined(__aarch64__)
    asm volatile(".cfi_undefined x30");
#endif
#endif
    for (;;) {
      Worker& worker = *this_worker;
      worker.launch_->run(worker.launch_->body);
      worker.pool_.give_back(worker.current_);
      worker.switch_to(*worker.next_fiber());
    }
  }

  // Lets a random thread of the block continue, perhaps this one.
  void preempt() {
    block_->ready->push(current_);
    suspend(unknown_site, 0);
  }

  void switch_to(Fiber& next) {
    Fiber& self = *current_;
    if (&next == &self) return;
    current_ = &next;
    switch_fiber(self, next);
  }

  // The fiber to run next. A pool fiber starts further threads; the main fiber ends the launch.
  Fiber* next_fiber() {
    for (;;) {
      Block& block = *block_;
      if (block.starts_next()) return pool_.take();
      if (!block.ready->empty()) return block.take_ready();
      if (block.release_converged()) continue;
      // A finished block may have been what another waits for. If no block makes progress, they may
      // be waiting for one that has not begun.
      const bool done = leave_block(block);
      const bool stuck = !done && (nobody_advances() || launch_->cooperative);
      if (!(stuck ? start_block() || resume_parked() : resume_parked() || start_block())) return &main_;
    }
  }

  // True if the block is done; false if it can only spin.
  bool leave_block(Block& block) {
    block_ = nullptr;
    if (block.alive == 0) {
      turns_ = idle_turns_ = 0;
      if (order::running != nullptr) order::running->end_block(block.index);
      if (launch_->cooperative) launch_->arrive_at_grid_barrier(Launch::done_block);
      blocks_.give_back(&block);
      return true;
    }
    if (block.yielded->empty()) fail_deadlock(block);
    idle_turns_ = block.alive < block.alive_at_turn ? 0 : idle_turns_ + 1;
    turns_ = block.alive < block.alive_at_turn ? 0 : turns_ + (block.turn_spun ? spinning_turn : 1);
    park(block);
    if (__builtin_expect(idle_turns_ > turns_to_watch_ * parked_, 0)) begin_watch();
    return false;
  }

  // Every resident block has had its turn, and no thread has ended.
  bool nobody_advances() {
    if (turns_ <= parked_ * spinning_turn) return false;
    turns_ = 0;
    // The threads that are waited for may need this core.
    sched_yield();
    return true;
  }

  void park(Block& block) {
    block.next_parked = nullptr;
    (parked_last_ != nullptr ? parked_last_->next_parked : parked_first_) = &block;
    parked_last_ = &block;
    ++parked_;
  }

  // Continues the block that has been parked longest.
  bool resume_parked() {
    Block* const block = parked_first_;
    if (block == nullptr) return false;
    parked_first_ = block->next_parked;
    if (parked_first_ == nullptr) parked_last_ = nullptr;
    --parked_;
    block->yielded->move_to(*block->ready);
    enter(*block);
    return true;
  }

  bool start_block() {
    if (parked_ * launch_->threads >= max_resident_threads && !launch_->cooperative) return false;
    if (claimed_ == claimed_end_) {
      claimed_ = launch_->next_block.fetch_add(launch_->claim_size, std::memory_order_relaxed);
      if (claimed_ >= launch_->blocks) {
        claimed_end_ = claimed_;
        return false;
      }
      const std::uint64_t end = claimed_ + launch_->claim_size;
      claimed_end_ = end < launch_->blocks ? end : launch_->blocks;
    }
    Block* const block = blocks_.take(launch_->dynamic_shared);
    if (block == nullptr) return false;
    const std::uint64_t linear = launch_->block_order.at(claimed_++);
    const ThreadPlace* places = launch_->order;
    std::uint64_t seed = 0;
    if (launch_->seed != 0) {
      seed = mix(launch_->seed + linear) | 1;
      places += (seed >> 32) % launch_->threads;
    }
    block->begin(linear, launch_->threads, places, seed);
    block->preemption = launch_->preemption;
    if (order::running != nullptr) order::running->begin_block(linear);
    enter(*block);
    return true;
  }

  void enter(Block& block) {
    block_ = &block;
    block.alive_at_turn = block.alive;
    block.turn_spun = false;
    const dim3& grid = launch_->grid;
    const auto row = static_cast<std::uint32_t>(block.index / grid.x);
    blockIdx = uint3{static_cast<std::uint32_t>(block.index % grid.x), row % grid.y, row / grid.y};
    block_shared = block.shared;
    block_dynamic_shared = block.shared + shared_layout().dynamic_begin();
    enter_block(block.index, block.not_modelled);
  }

  [[noreturn]] void fail_deadlock(Block& block);  // deadlock.h

  void begin_watch();    // livelock.h
  void yield_watched();
  void note_livelock(SiteId site);

  Launch* launch_ = nullptr;
  Block* block_ = nullptr;
  Fiber* current_ = nullptr;
  std::uint32_t quiet_budgets_ = 0;
  std::uint64_t claimed_ = 0, claimed_end_ = 0;
  Block* parked_first_ = nullptr;
  Block* parked_last_ = nullptr;
  std::uint32_t parked_ = 0;
  std::uint32_t turns_ = 0;  // since a thread last ended; see spinning_turn
  // Turns of blocks since a thread last ended, and the number of these, per resident block, after
  // which its threads are watched.
  std::uint64_t idle_turns_ = 0, turns_to_watch_ = 0;
  PollWatch watch_;
  Fiber main_;
  FiberPool pool_;
  BlockPool blocks_;
};

}  // namespace hirace::cpu
