// What kernels and the checker may ask of the scheduler; scheduler.h and scheduler.inl.h answer.
#pragma once

#include "../../hooks/site.h"
#include "../../records/record.h"
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

// The running thread, of a kernel, cannot go on alone: others run first.
void wait_for_others();

// Counts what may come out differently when a thread does the same again: clocks, launches.
inline thread_local std::uint64_t unrepeatable_calls = 0;
// The program may read clocks that are not counted.
inline bool reads_other_clocks = false;

// Prepares the next CUDA thread of the running block; false where the worker loop has to stop.
bool start_thread();
// The same when a thread has come to its end.
bool finish_thread();

// The barriers of a block. Threads that have exited do not count.
void block_barrier(SiteId site);
int block_barrier_count(SiteId site, int predicate);
int block_barrier_and(SiteId site, int predicate);
int block_barrier_or(SiteId site, int predicate);

// Threads of the running block that have not exited.
std::uint32_t threads_alive();

// What a lane brings to a collective operation, and takes from it. The types
// derived from it live on the stacks of the waiting lanes.
struct LaneData {};

// Computes what every lane of `lanes` takes, once all of them have come.
using Combine = void (*)(LaneData* const* data, std::uint32_t lanes);

// Waits for the other lanes of `mask` (0: for those that come to `place` too)
// and exchanges data with them. Returns whether all live lanes took part.
bool wait_for_lanes(SiteId site, std::uint32_t mask, LaneData* data, Combine combine, std::uintptr_t place = 0);

// Waits for the lanes of `mask`; true where these are all lanes that still live.
bool warp_barrier(SiteId site, std::uint32_t mask);

// The lanes that come to one place of the program together: all that can, before
// the warp can go no further. The hardware promises less; programs count on as
// much. Lanes that came by different calls are in different branches.
unsigned activemask();

// A warning: a lane took the value of one that takes no part.
void note_inactive(SiteId site);

// Whether all blocks of the running launch are resident, as a barrier of the grid needs it.
bool is_cooperative();
// Waits for the whole grid, which starts a new epoch.
void grid_sync(SiteId site);

// Advances the running thread's clocks past a barrier.
void pass_block_barrier();
void pass_warp_barrier();

// Constructs that order accesses in ways the state machine does not follow were executed,
// by a kernel; record_construct() also where the host may run the same function.
void record_not_modelled(SiteId site, std::uint32_t constructs);
void record_construct(SiteId site, std::uint32_t constructs);

// A fault after which the program can go on. `other` is a second place that belongs to it.
void report_fault(Fault fault, SiteId site, std::uintptr_t address, SiteId other = unknown_site);
// Ends the process: what comes after such a fault means nothing.
[[noreturn]] void fail(Fault fault, SiteId site, std::uintptr_t address);
[[noreturn]] void fail_at(Fault fault, SiteId site, std::uintptr_t address, const void* instruction);

}  // namespace hirace::cpu
