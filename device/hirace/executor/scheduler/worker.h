// A worker: one OS thread that runs the CUDA threads of the blocks it has claimed.
//
// Worker-loop fibers: a fiber starts one CUDA thread after the other in a plain loop. Only when a
// thread must wait does its fiber stay with it, and another fiber continues the loop. A kernel
// without barriers never switches.
//
// Which thread runs next: one of this block that can continue, else one that has not started, else
// one of another block. Threads that use up their budget of accesses may be spinning; they continue
// after all others, block after block, and a worker whose blocks only spin starts further ones.
//
// In a shuffled schedule, threads also lose their priority (priorities.h). They continue after all but
// those that may be spinning, once as many blocks are resident as may be.
#pragma once

#include <algorithm>
#include <cstdio>

#include "block.h"
#include "block_pool.h"
#include "../builtins.h"
#include "../check/shared_of_cluster.h"
#include "../check/fault_record.h"
#include "../check/progress.h"
#include "clusters.h"
#include "poll_watch.h"
#include "priorities.h"
#include "region_frames.h"
#include "running_launch.h"
#include "../memory/shared_layout.h"

namespace hirace::cpu {

// Threads pass a barrier that others of their block will not reach. Without one that has ended in a fault, that is no
// further fault.
inline void note_exited(Block& block) {
  BlockBarrier& barrier = block.barrier;
  if (block.any_was_lost) return;
  if (barrier.site == unknown_site || barrier.site == barrier.exited_site) return;
  barrier.exited_site = barrier.site;
  // One that waits there, rather than the one that exits now.
  Record record = fault_record(Fault::barrier_after_exit, barrier.site, 0);
  if (!block.at_barrier->empty()) record.current_thread = unflatten(block.at_barrier->at(0)->thread, record.block_dim);
  add_fault(record);
}

class Worker;
inline thread_local Worker* this_worker = nullptr;

class Worker {
 public:
  Worker() : pool_(&Worker::fiber_loop) {}

  // Runs blocks of the launch until there are no more to claim.
  void run(Launch& launch) {
    launch_ = &launch;
    gridDim = launch.grid;
    blockDim = launch.block;
    claimed_ = claimed_end_ = 0;
    resident_ = 0;
    idle_turns_ = 0;
    frames_.begin_launch();
    turns_to_watch_ = first_turns_to_watch;
    // How many blocks are resident at a time depends on the seed.
    if (launch.seed != 0) blocks_.prepare(std::min({launch.blocks, max_resident_blocks(), max_prepared}), launch.dynamic_shared);
    begin_worker();
    monitor.explores = launch.depth > 1;
    change_points_.begin(launch.seed, launch.depth);
    if (start_block()) {
      current_ = pool_.take();
      switch_fiber(main_, *current_);
    }
    monitor.explores = false;
    end_worker();
    gridDim = blockDim = dim3();
    threadIdx = blockIdx = uint3{0, 0, 0};
    launch_ = nullptr;
  }

  bool running() const { return launch_ != nullptr; }
  const Launch& launch() const { return *launch_; }
  Launch& launch() { return *launch_; }
  Block& block() {
    settle();
    return *block_;
  }
  Fiber& fiber() {
    settle();
    return *current_;
  }
  const FiberPool& pool() const { return pool_; }
  // Whether an address is beyond the stack that the worker runs on. Handlers of signals call this, after which the
  // interrupted loop may continue: it must find its run of threads as it was.
  bool is_below_stack(std::uintptr_t address) const { return pool_.is_below_stack(*current_, address); }
  // Where the running threads were last, as far as hooks know: while coroutines wait, no stack shows it.
  SiteId last_site() const { return lockstep_now.active ? block_->barrier.site : monitor.site; }
  RegionFrames& frames() { return frames_; }

  // Prepares the next unstarted thread; false if the loop must stop. Threads that wait without a stack, and may
  // continue, run here until they wait again.
  bool start_thread() {
    for (;;) {
      while (lockstep_now.active && !block_->has_unstarted()) run_lockstep();
      Block& block = *block_;
      if (block.starts_next()) {
        begin_thread();
        renew_budget();
        return true;
      }
      if (!has_ready_region() || meets_without_end(block)) return false;
      resume_region(static_cast<WaitingRegion&>(*block.ready->pop()));
      stop_thread();
    }
  }

  // The running thread reaches a barrier of its block as a coroutine. Returns whether it leaves the stack that it runs
  // on; otherwise it has passed the barrier.
  bool end_region(void* frame, SiteId site);

  // Other threads notice what the running one does next, so that all of them wait and run as they do otherwise.
  void leave_lockstep() {
    settle();
    if (__builtin_expect(lockstep_now.active, 0)) end_lockstep();
  }

  // The running thread is a coroutine from now on, or no longer.
  void note_frame(void* frame, std::size_t bytes) {
    settle();
    Lockstep& lockstep = block_->lockstep;
    lockstep.frame_bytes = bytes;
    lockstep_now.thread = &lockstep.threads[current_->thread];
    lockstep_now.arrived = false;
    lockstep_now.thread->frame = frame;
  }
  void forget_frame() { block_->lockstep.threads[current_->thread].frame = nullptr; }

  // Ends the current thread, then acts as start_thread(). The inline part covers kernels without
  // barriers: they call it once per thread, and some do little else.
  bool finish_thread() {
    settle();
    Block& block = *block_;
    if (__builtin_expect(watch_.active() || block.suspended != 0 || block.preemption != 0 || left_stack_ || lockstep_now.active, 0)) return finish_thread_slowly();
    block.leave(current_->thread);
    if (!block.has_unstarted() || (!block.starts_first && !block.ready->empty())) return false;
    begin_thread();
    spin_noted = false;
    monitor.set_budget(access_budget);
    if (block.ready->empty()) begin_run();
    return true;
  }

  // Takes notice of the threads that the loop of the kernel has begun. Everything that depends on which thread of the
  // block runs, or which have ended, comes after this.
  void settle() {
    ThreadRun& run = thread_run;
    if (run.end == nullptr) return;
    Block& block = *block_;
    block.leave(block.next_place - 1, run.next - 1);
    block.next_place = run.next;
    current_->thread = run.next[-1].linear;
    run.next = run.end = nullptr;
  }

  // The running thread ends in the middle of what it does, perhaps because of a fault; its stack is left as it is.
  [[noreturn]] void end_thread(bool by_fault);

  // Suspends the running thread, and returns when it is resumed: by another thread, or at once if
  // no other can run.
  void suspend(SiteId site, std::uint32_t waits_for) {
    leave_lockstep();
    if (monitor.awaits_value) settle_write();
    block_->meeting_spun |= spin_noted;
    Fiber& self = *current_;
    self.block = block_;
    self.site = site;
    self.waits_for = waits_for;
    const Word me = monitor.me;
    const SiteId call_site = monitor.call_site;
    const Copier copies = monitor.copies;
    const bool stores_later = monitor.stores_later;
    const uint3 index = threadIdx;
    monitor.copies = Copier::none;
    monitor.stores_later = false;
    switch_to(*next_fiber());
    monitor.me = me;
    monitor.call_site = call_site;
    monitor.copies = copies;
    monitor.stores_later = stores_later;
    renew_budget();
    threadIdx = index;
    lockstep_now.thread = &block_->lockstep.threads[self.thread];
    lockstep_now.arrived = false;
  }

  // Lets others run before the current thread continues. `waits`: it cannot continue alone.
  void yield(bool waits);

  // The current thread is about to make an operation that others can observe.
  void pass_scheduling_point(bool loads) {
    if (change_points_.pass(loads) && !watch_.active()) lose_priority();
  }
  // The operation changed nothing.
  void take_back_point() { change_points_.take_back(); }

  // The current thread reaches a barrier.
  void arrive() { watch_.end(); }

  // The kernel that runs has `__cluster_dims__`. The first thread of a launch calls this before another block
  // starts.
  void set_cluster_size(const dim3& size);

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
  // A bound on memory: threads that have begun and not ended, in blocks that only spin. It is what the
  // device holds (runtime/device_properties.h), since programs may rely on that many. Blocks of a
  // cooperative launch are all resident, as guaranteed.
  static constexpr std::uint32_t max_resident_threads = 32768;
  std::uint64_t max_resident_blocks() const { return (max_resident_threads + launch_->threads - 1) / launch_->threads + 1; }
  // More blocks are resident only if they are tiny and spin.
  static constexpr std::uint64_t max_prepared = 64;
  // So many blocks begin before a thread continues that has lost its priority. If all of their threads
  // poll, a turn of all costs the more the more there are.
  std::uint64_t interleaved_blocks() const {
    constexpr std::uint32_t max_blocks = 16, min_blocks = 3, max_threads = 128;
    return std::clamp(max_threads / launch_->threads, min_blocks, max_blocks);
  }
  // Of so many preemptions, one takes away the thread's priority; after the others, any thread of its
  // block continues. And of so many losses, one puts it after the threads that poll, too: it may be
  // waiting for them.
  static constexpr std::uint32_t preemptions_per_loss = 8, losses_per_yield = 8;
  // Enough for most launches that make progress without any thread ending.
  static constexpr std::uint64_t first_turns_to_watch = 256;
  // A thread that works and does not wait may use this many budgets first.
  static constexpr std::uint32_t quiet_budgets_per_yield = 16;
  // How often each thread of a block may meet others in a turn: if it has looked at what others may change,
  // and if not. Few kernels that only work have so many barriers.
  static constexpr std::uint32_t spinning_meetings = 64, quiet_meetings = 4096, quiet_meetings_of_many = 512;
  // The weight of a block's turn in which its threads spun; 1 if they only ran long.
  static constexpr std::uint32_t spinning_turn = 4;

  void begin_thread() {
    Block& block = *block_;
    const ThreadPlace& place = *block.next_place++;
    current_->thread = place.linear;
    threadIdx = place.index;
    enter_thread(block.index, place.linear);
  }

  // The threads that follow the running one begin in the loop of the kernel. What a word says of a thread must follow
  // from its number.
  void begin_run() {
    if (launch_is_ordered() || semantics.lockstep_warps) return;
    const Layout& layout = current_launch.layout;
    const Block& block = *block_;
    const Word own = Word{current_->thread} << layout.thread_shift;
    thread_run = {block.next_place, block.end_places, monitor.me & ~own, layout.thread_shift};
  }

  __attribute__((noinline)) bool finish_thread_slowly() {
    stop_thread();
    return start_thread();
  }

  // The running thread waits as a coroutine, or has ended.
  void stop_thread() {
    const bool arrived = lockstep_now.active && lockstep_now.arrived;
    Block& block = *block_;
    block.lockstep.last_has_ended = !arrived;
    if (std::exchange(left_stack_, false) || arrived) return;
    const std::uint32_t thread = current_->thread;
    block.leave(thread);
    watch_.end();
    if (block.suspended != 0) {
      if (block.alive != 0 && block.at_barrier->size() == block.alive) note_exited(block);
      block.thread_exited(thread);
    }
  }

  // Whether the running thread may wait for its block without a stack: threads run in the natural order, and it is not
  // watched whether one polls.
  bool leaves_stack() const {
    return block_->random == 0 && !monitor.explores && !watch_.active() && !monitor.awaits_value;
  }

  // lockstep.h
  bool is_first_to_arrive() const;
  void arrive_in_lockstep(SiteId site);
  WaitingRegion& wait_in_ring(std::uint32_t number, const LockstepThread& from);
  void leave_stack(void* frame, SiteId site);
  void begin_lockstep(std::uint32_t count);
  void continue_in_lockstep();
  void end_lockstep();
  void run_lockstep();
  bool begin_round();
  bool pass_barrier(Lockstep& lockstep);

  bool has_ready_region() const { return !block_->ready->empty() && !block_->ready->front()->has_stack; }

  void resume_region(WaitingRegion& thread);

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

  // The current thread continues after all others but those that poll and those that have lost a
  // higher priority.
  void lose_priority();
  // Continues the first of these.
  Fiber* resume_low();

  void switch_to(Fiber& next) {
    Fiber& self = *current_;
    if (&next == &self) return;
    current_ = &next;
    switch_fiber(self, next);
  }

  // The next thread and the next block (block_turns.h).
  Fiber* next_fiber();
  bool leave_block(Block& block);
  bool start_block();
  void begin_shared();
  void enter(Block& block);

  // The end of a block's turn, and the next one (interruption.h).
  bool meets_without_end(Block& block);
  bool nobody_advances();
  void park(Block& block);
  bool resume_parked();

  [[noreturn]] void fail_cluster_size(const dim3& size) {
    std::fprintf(stderr, "hirace: kernel %s: a grid of %u x %u x %u blocks has no clusters of %u x %u x %u\n", launch_->kernel, launch_->grid.x,
                 launch_->grid.y, launch_->grid.z, size.x, size.y, size.z);
    fail(Fault::invalid_launch, launch_->site, 0);
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
  std::uint64_t resident_ = 0;  // blocks that have begun and not ended
  ChangePoints change_points_;
  LowPriorityThreads low_;
  PollWatch watch_;
  Fiber main_;
  FiberPool pool_;
  RegionFrames frames_;
  bool left_stack_ = false;   // the thread that has just stopped waits as a coroutine
  BlockPool blocks_;
  Clusters clusters_;
};

}  // namespace hirace::cpu
