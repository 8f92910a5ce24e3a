// What the checker may ask of the scheduler. Defined in builtins.h and scheduler.h.
#pragma once

#include "../../hooks/site.h"
#include "../builtins.h"
#include "../check/thread.h"

namespace hirace::cpu {

// Called when a thread has used up its budget of accesses: another thread may run.
void yield_point();

// The thread has seen a value that only another thread can change (a failed
// compare-and-swap, a volatile read): it may be spinning and should yield sooner.
// `cost`, in accesses, says how much sooner.
constexpr std::int32_t spin_cost = access_budget / 32;
void note_spin(std::int32_t cost = spin_cost);

// Counts what may come out differently when a thread does the same again: clocks, launches.
inline thread_local std::uint64_t unrepeatable_calls = 0;
// The program may read clocks that are not counted.
inline bool reads_other_clocks = false;

// The barriers of a block. Threads that have exited do not count.
void block_barrier(SiteId site);
int block_barrier_count(SiteId site, int predicate);
int block_barrier_and(SiteId site, int predicate);
int block_barrier_or(SiteId site, int predicate);

// Waits for the lanes of `mask`; true where these are all lanes that still live.
bool warp_barrier(SiteId site, std::uint32_t mask);

}  // namespace hirace::cpu
