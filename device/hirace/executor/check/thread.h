// What the access hooks need to know of the CUDA thread that runs right now.
//
// One Monitor per OS thread, in thread-local storage; the scheduler saves and
// restores the part that belongs to a CUDA thread when it switches fibers.
#pragma once

#include "../../records/record.h"
#include "../../checker/shadow.h"

namespace hirace::cpu {

// Accesses a thread may make before the scheduler looks whether another should
// run: small enough that spin loops make progress, large enough to cost nothing.
constexpr std::int32_t access_budget = 4096;

// Nothing is read-only.
constexpr std::uint8_t no_generation = 0;

struct alignas(64) Monitor {
  // Of the CUDA thread: epoch, thread, block and clocks in their places.
  Word me;
  // Of the block: the memory whose accesses are checked. No bytes: none are.
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
  // Of each page of shadow, from the window's first on; the marks there of the OS thread's own
  // pages and of those that all share, and the one that it is changing (shadow_ownership.h).
  std::uint32_t* owners;
  std::uint32_t owner_mark, shared_mark;
  std::uint32_t* in_page;
  // Of each unit of the address space, and of the launch (read_only_memory.h).
  const std::uint8_t* generations;
  std::uint8_t generation;
  bool at_kernel_entry;       // the launch's generation is to be asked for
  std::size_t first_granule;  // the window's
  std::int32_t budget;      // counts down to the next look at the scheduler, below zero
  SiteId site;              // of the last access outside the window, for fault reports
  // Of the block: constructs it has executed that are not modelled.
  std::uint32_t* not_modelled;
  std::uint64_t granted;    // see checked_accesses()
  std::uint64_t outside;    // the same, to memory that is neither the device's nor a stack
  bool exclusive;           // no other OS thread checks in this launch: plain stores suffice
  bool section;             // __device__ variables are monitored
  bool in_kernel;
  bool reads_value;         // the access at hand uses what was there before

  // The running thread may make this many accesses; the scheduler looks at the last one.
  void set_budget(std::int32_t accesses) {
    granted += static_cast<std::uint64_t>(std::int64_t{accesses} - 1 - budget);
    budget = accesses - 1;
  }
  // Takes from the budget without an access.
  void spend(std::int32_t cost) {
    granted -= static_cast<std::uint64_t>(cost);
    budget -= cost;
  }
  // Accesses that this OS thread has checked since the launch began: what the budget went
  // down by. To count them one by one would cost every access another addition.
  std::uint64_t checked_accesses() const { return granted - static_cast<std::uint64_t>(std::int64_t{budget}); }
};

// In `me`: the thread's clocks have overflowed, so that its accesses are not
// checked. The flag of strong words serves, since no thread is one.
constexpr Word unchecked_flag = strong_flag;

// In `me`: launches of other streams could run beside this one, so that what it accesses is
// kept apart, too (launch_accesses.h). It lies where the state of a word does, and is none of
// the states, so that it takes part in no comparison.
constexpr unsigned watched_state = 30;
constexpr Word watched_flag = Word{watched_state} << state_shift;
static_assert(watched_state != split_state && watched_state != poison_state, "no word has it");
// What the fast paths leave to the slow one.
constexpr Word slow_flags = unchecked_flag | state_field;

inline thread_local Monitor monitor;

}  // namespace hirace::cpu
