// Kernels as coroutines: what a thread does between two barriers of its block is a region.
//
// A fiber that waits keeps a whole stack: its registers and locals are spread over as many cache lines as the
// functions that it waits in. A kernel whose barriers are in its own body can wait without a stack. The instrumenter
// makes its body a coroutine (C++20, [dcl.fct.def.coroutine]), whose locals lie in one small frame:
//
//   void kernel(float* x) { HIRACE_BEGIN_REGIONS(float* x) … HIRACE_REGION_BARRIER(SITE); … HIRACE_END_REGIONS(x) }
//
// A barrier leaves the coroutine, and the scheduler's loop continues with the next thread (lockstep.h). Whatever else a
// thread waits for, such as lanes of its warp or a barrier in a function that it calls, it waits for on the fiber that
// runs the loop. So do all threads where the order in which they run is not the natural one, or is watched. Without
// HIRACE_REGIONS, or without coroutines, the kernel stays as it is.
#pragma once

#include "../../hooks/sync.h"
#include "lockstep_thread.h"

#if defined(__cpp_impl_coroutine) && defined(HIRACE_REGIONS)
#include <coroutine>

namespace hirace::cpu {

// Where the compiler reports accesses of host code (host_reports.h), kernels are exempt, and functions that are not
// inline in them would neither be exempt nor become inline: hence HIRACE_HOOK, and nothing of the standard library.
struct Goes {
  HIRACE_HOOK bool await_ready() const noexcept { return true; }
  template <class Promise>
  HIRACE_HOOK void await_suspend(std::coroutine_handle<Promise>) const noexcept {}
  HIRACE_HOOK void await_resume() const noexcept {}
};

struct Regions {
  struct promise_type {
    HIRACE_HOOK Regions get_return_object() { return {}; }
    HIRACE_HOOK Goes initial_suspend() const noexcept { return {}; }
    HIRACE_HOOK Goes final_suspend() const noexcept { return {}; }
    HIRACE_HOOK void return_void() const {}
    void unhandled_exception() const { throw; }
    HIRACE_HOOK static void* operator new(std::size_t bytes) { return take_region_frame(bytes); }
    HIRACE_HOOK static void operator delete(void* frame, std::size_t bytes) { give_back_region_frame(frame, bytes); }
  };
};

// Makes the lambda a template: GCC 12 gives a coroutine in an `extern "C"` function two symbols of one name otherwise.
// Reports know the frames of the body by this name.
struct KernelBody {};

// The same for a long loop without barriers, which is a lambda of its own: what it declares can be in registers, unlike
// the variables of a coroutine.
struct RegionLoop {};

struct RegionBarrier {
  SiteId site;

  HIRACE_HOOK bool await_ready() const { return false; }
  template <class Promise>
  HIRACE_HOOK bool await_suspend(std::coroutine_handle<Promise> handle) const {
    LockstepNow& now = lockstep_now;
    const bool plain = monitor.copies == Copier::none && !monitor.stores_later && !monitor.awaits_value;
    if (__builtin_expect(now.site != site || !plain, 0)) return end_region(__builtin_bit_cast(void*, handle), site);
    now.thread->me = monitor.me;
    now.arrived = true;
    return true;
  }
  // In lockstep, the scheduler advances the clocks of all threads. What an order engine knows of them is always advanced
  // by the scheduler.
  HIRACE_HOOK void await_resume() const {
    if (!lockstep_now.active) pass_block_barrier();
  }
};

}  // namespace hirace::cpu

#define HIRACE_BEGIN_REGIONS(...) [](auto, __VA_ARGS__) __attribute__((__no_sanitize_thread__)) -> ::hirace::cpu::Regions {
#define HIRACE_END_REGIONS(...) co_return; }(::hirace::cpu::KernelBody(), __VA_ARGS__);
#define HIRACE_REGION_RETURN co_return
#define HIRACE_BEGIN_REGION_LOOP(...) [&__VA_ARGS__](auto) __attribute__((always_inline, __no_sanitize_thread__)) {
#define HIRACE_REGION_LOOP_TEXT(...) __VA_ARGS__
#define HIRACE_END_REGION_LOOP }(::hirace::cpu::RegionLoop());
#define HIRACE_REGION_BARRIER(site) co_await ::hirace::cpu::RegionBarrier{site}
#else
#define HIRACE_BEGIN_REGIONS(...)
#define HIRACE_END_REGIONS(...)
#define HIRACE_REGION_RETURN return
#define HIRACE_BEGIN_REGION_LOOP(...)
#define HIRACE_REGION_LOOP_TEXT(...)
#define HIRACE_END_REGION_LOOP
#define HIRACE_REGION_BARRIER(site) ::hirace::syncthreads(site)
#endif
