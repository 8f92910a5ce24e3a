// What the access hooks need to know about the running CUDA thread.
//
// There is one Monitor per OS thread, in thread-local storage; the scheduler saves and restores the
// part that belongs to a CUDA thread when it switches fibers.
#pragma once

#include "../../records/record.h"
#include "../../checker/shadow.h"
#include "../order/copier.h"

namespace hirace::cpu {

// Accesses a thread may make before the scheduler checks whether another should run: small enough
// that spin loops make progress, large enough to cost nothing.
constexpr std::int32_t access_budget = 4096;

// No memory is read-only.
constexpr std::uint8_t no_generation = 0;

// Compares the values of two racing writes (written_value.h); called if `awaits_value`.
void settle_write();

// Which threads of a block have waited for the launch before theirs in the stream
// (cudaGridDependencySynchronize), or follow such a wait. To the state machine, all of a block do after a
// barrier of the block, and all of a warp after one of some of its lanes.
struct DependencyWaits {
  bool any;
  std::uint32_t threads[max_block_threads / 32];

  void add(std::uint32_t thread) {
    any = true;
    threads[thread / 32] |= std::uint32_t{1} << thread % 32;
  }
  bool has(std::uint32_t thread) const { return (threads[thread / 32] >> thread % 32 & 1) != 0; }
  void pass_block_barrier() {
    for (std::uint32_t& warp : threads) warp = any ? ~std::uint32_t{0} : 0;
  }
  void pass_warp_barrier(std::uint32_t thread) {
    std::uint32_t& warp = threads[thread / 32];
    if (warp != 0) warp = ~std::uint32_t{0};
  }
};

struct alignas(64) Monitor {
  // The CUDA thread's epoch, thread, block and clocks, each in its field.
  Word me;
  // The block's memory whose accesses are checked; empty if none are.
  std::uintptr_t window;
  std::size_t window_granules;
  // Granules below this index of the window are shared memory.
  std::size_t shared_granules;
  // Granules below this index are checked by no other OS thread.
  std::size_t own_granules;
  // Shadow (shadow_memory.h), from the window's first granule on.
  Word* words;
  std::uint32_t* sites;
  std::uint32_t* attachments;
  std::uint32_t* places;
  std::uint8_t* touched;  // see touch()
  // The owner of each page of shadow, from the window's first on; the marks for the OS thread's own
  // pages and for shared pages; and the page that it is changing (shadow_ownership.h).
  std::uint32_t* owners;
  std::uint32_t owner_mark, shared_mark;
  std::uint32_t* in_page;
  // The generation of each unit of the address space, and of the launch (read_only_memory.h).
  const std::uint8_t* generations;
  std::uint8_t generation;
  bool at_kernel_entry;       // the launch's parameters are not known yet
  std::size_t first_granule;  // the window's
  std::int32_t budget;      // counts down; below zero, the scheduler is called
  SiteId call_site;         // of the call of a function of the runtime that the thread makes next
  SiteId site;              // of the last access outside the window, for fault reports
  // The block's set of executed constructs that are not modelled.
  std::uint32_t* not_modelled;
  // What the block's threads know of the launch before this one.
  DependencyWaits* waits;
  std::uint64_t granted;    // see checked_accesses()
  std::uint64_t outside;    // the same, to memory that is neither the device's nor a stack
  std::uint64_t checked_blocks;  // blocks that this OS thread has begun to check
  // The granules of the window that the order engine follows: all of them, even in a block whose plain
  // accesses are not checked.
  std::size_t followed_granules;
  bool unchecked;           // plain accesses are not checked
  bool exclusive;           // no other OS thread checks in this launch: plain stores suffice
  bool section;             // __device__ variables are monitored
  bool in_kernel;
  bool explores;            // threads lose their priority at some scheduling points
  bool reads_value;         // the current access uses the old value
  bool narrow;              // it is strong, and its scope excludes the host
  bool texels;              // it goes through a texture or a surface
  Copier copies;            // which of the thread's copiers makes its accesses (order/interface.h)
  bool awaits_value;        // the thread's last write races with one whose value it is compared with
  bool stores_later;        // its next write is not made right after the check

  // Lets the running thread make this many accesses; the last one calls the scheduler.
  void set_budget(std::int32_t accesses) {
    if (__builtin_expect(awaits_value, 0)) settle_write();
    granted += static_cast<std::uint64_t>(std::int64_t{accesses} - 1 - budget);
    budget = accesses - 1;
  }
  // Reduces the budget without an access.
  void spend(std::int32_t cost) {
    granted -= static_cast<std::uint64_t>(cost);
    budget -= cost;
  }
  // Counts an access that only one of the engines checks: the schedule must not depend on it.
  void count_without_budget() { ++granted; }
  // Accesses that this OS thread has checked in the launch and not yet added to the record, derived from the budget:
  // counting them one by one would cost every access another addition.
  std::uint64_t checked_accesses() const { return granted - static_cast<std::uint64_t>(std::int64_t{budget}); }
};

// In `me`: the thread's clocks have overflowed, so that its accesses are not checked; if the order engine
// follows it, they take the slow path. It reuses the flag of strong words, which no thread's identity has.
constexpr Word unchecked_flag = strong_flag;

// In `me`: launches of other streams may overlap with this one, so its accesses are also recorded separately
// (launch_accesses.h). The flag is in the field of the state but is not a state, so it affects no comparison.
constexpr unsigned watched_state = 30;
constexpr Word watched_flag = Word{watched_state} << state_shift;
static_assert(watched_state != split_state && watched_state != poison_state, "no word has it");
// Accesses with these flags take the slow path.
constexpr Word slow_flags = unchecked_flag | state_field;

inline thread_local Monitor monitor;

// Whether a kernel has called the running function, not the host. Functions for both sides ask where the program
// tests `__CUDA_ARCH__`.
inline bool in_kernel() { return monitor.in_kernel; }

// Host code: a function works in a stream, and launches may overlap with it (runtime/stream_call.h). Hooks in
// functions of the program that a library calls pass their accesses to note_access_of_call().
inline thread_local bool call_is_watched = false;
void note_access_of_call(const volatile void* memory, std::size_t bytes, AccessKind kind, SiteId site);

// The running thread's next write is not made right after its check: its value is not compared.
class LaterStore {
 public:
  HIRACE_HOOK LaterStore() { monitor.stores_later = true; }
  HIRACE_HOOK ~LaterStore() { monitor.stores_later = false; }
  LaterStore(const LaterStore&) = delete;
  LaterStore& operator=(const LaterStore&) = delete;
};

// In a launch that the order engine follows, `me` has the time of the running thread's accesses in place
// of clocks. Called when that may have changed.
void renew_time();

// Whether the running thread has waited for the launch before its own, or follows a thread that has.
bool follows_dependency_wait();

}  // namespace hirace::cpu
