// The interface of the scheduler for kernels and the checker, implemented by scheduler.h and
// check/monitor.h.
#pragma once

#include "../../hooks/site.h"
#include "../../records/record.h"
#include "../builtins.h"
#include "../check/thread.h"

namespace hirace::cpu {

// Called when a thread has used up its budget of accesses: another thread may run.
void yield_point();

// The thread has seen a value that only another thread can change, in an operation that failed: it
// may be spinning and should yield sooner. `spin_cost`, in accesses, says how much sooner.
constexpr std::int32_t spin_cost = access_budget / 32;
void note_spin();
// The running thread has seen such a value. Each of them uses up budget, so that a few dozen in a row count as waiting.
inline thread_local bool spin_noted = false;
// The thread is about to read a value that others may change: the same, but less likely.
void note_load();

// Lets another thread run while this one waits, which may be one of the host.
void let_others_run(SiteId site = unknown_site);  // where a thread waits

// The running thread is about to make an operation that others can observe; `loads`: it only reads.
// In some schedules, others run first (priorities.h).
void pass_scheduling_point(bool loads);
HIRACE_HOOK void scheduling_point(bool loads = false) {
  if (__builtin_expect(monitor.explores, 0)) pass_scheduling_point(loads);
}

// Each strong access begins with this, which also counts it. Other threads run here or not at all: none
// may run between the comparison of a compare-and-swap and the operation, whichever engine checks it.
HIRACE_HOOK void begin_strong_access(bool loads) {
  if (__builtin_expect(--monitor.budget < 0, 0)) yield_point();
  scheduling_point(loads);
  // A polling thread should let others run before its budget is used up.
  if (loads) note_load();
}

// The running kernel thread cannot continue alone: others run first.
void wait_for_others();

// Counts calls whose result may differ when a thread repeats them: clocks, launches.
inline thread_local std::uint64_t unrepeatable_calls = 0;
// The program may read clocks that are not counted.
inline bool reads_other_clocks = false;

// Prepares the next CUDA thread of the running block; false if the worker loop must stop.
bool start_thread();
// The same when a thread has ended.
bool finish_thread();

// Memory of the worker for the frame of a coroutine.
void* take_region_frame(std::size_t bytes);
void give_back_region_frame(void* frame, std::size_t bytes);

// The running thread reaches a barrier of its block as a coroutine with this frame. If true, it leaves its stack, and
// the scheduler resumes the frame; if false, it has passed the barrier.
bool end_region(void* frame, SiteId site);

// The barriers of a block. Threads that have exited do not count.
void block_barrier(SiteId site);
int block_barrier_count(SiteId site, int predicate);
int block_barrier_and(SiteId site, int predicate);
int block_barrier_or(SiteId site, int predicate);

// The two halves of a block barrier: a thread arrives, and may wait for the phase that it arrived in.
// Threads that have exited do not count.
struct BarrierPhase {
  std::uint32_t number;
};
BarrierPhase arrive_at_halved_barrier(SiteId site);
void wait_at_halved_barrier(BarrierPhase phase);

// The two halves of a grid barrier. To the state machine, all happens in the second one. A thread that
// exits without having arrived blocks all others.
BarrierPhase arrive_at_halved_grid_barrier();
void wait_at_halved_grid_barrier(BarrierPhase phase);

// The barrier of the running thread's tile of `size` threads, in several warps. `orders`: what came before it
// comes before what follows.
void tile_barrier(SiteId site, std::uint32_t size, bool orders);
// Leaves an operand for the other threads of the tile, and finds that of the thread with this rank: null if it
// has exited.
void leave_operand(const void* operand);
const void* operand_of(std::uint32_t tile_size, std::uint32_t rank);
// Threads of the running thread's tile.
std::uint32_t tile_threads(std::uint32_t tile_size);

// Threads of the running block that have not exited.
std::uint32_t threads_alive();

// A lane's operand for a collective operation, and its result. The derived types are on the stacks
// of the waiting lanes.
struct LaneData {};

// Computes the results for all lanes of `lanes` once all of them have arrived.
using Combine = void (*)(LaneData* const* data, std::uint32_t lanes);

// Waits for the other lanes of `mask` (0: those that also reach `place`) and exchanges data with
// them. Returns whether all live lanes participated.
bool wait_for_lanes(SiteId site, std::uint32_t mask, LaneData* data, Combine combine, std::uintptr_t place = 0);

// Waits for the lanes of `mask`; true if these are all live lanes.
bool warp_barrier(SiteId site, std::uint32_t mask);

// The lanes that reach one place of the program together: all that can, before the warp cannot
// continue. The hardware guarantees less, but programs rely on this. Lanes that arrived through
// different calls are in different branches.
unsigned activemask();

// The same for a warp function without a mask, with a warning.
unsigned converged_lanes(SiteId site);

// A warning: a lane took the value of a lane that does not participate.
void note_inactive(SiteId site);

// Whether an address is on the stack of a thread that the calling OS thread runs.
bool is_on_stack(std::uintptr_t address);

// Whether all blocks of the running launch are resident, as a grid barrier requires.
bool is_cooperative();
// The address of the memory for the grid's barrier, for code that nvcc has compiled; 0 if the launch is not cooperative.
std::uint64_t grid_workspace();
// Waits for the whole grid, which starts a new epoch.
void grid_sync(SiteId site);

// Advances the running thread's clocks past a barrier.
void pass_block_barrier();
void pass_warp_barrier();

// Notes that a kernel executed constructs that order accesses in ways the state machine does not
// follow; record_construct() is for functions that may also run on the host.
void record_not_modelled(SiteId site, std::uint32_t constructs);
void record_construct(SiteId site, std::uint32_t constructs);

// A fault after which the program can continue. `other` is a second site that belongs to it.
void report_fault(Fault fault, SiteId site, std::uintptr_t address, SiteId other = unknown_site);
// Ends the running thread, as `exit` of PTX does: its stack is left as it is.
[[noreturn]] void exit_thread();
// Ends the process: anything after such a fault is meaningless.
[[noreturn]] void fail(Fault fault, SiteId site, std::uintptr_t address);
[[noreturn]] void fail_at(Fault fault, SiteId site, std::uintptr_t address, const void* instruction);

}  // namespace hirace::cpu
