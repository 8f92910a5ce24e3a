// The state of a barrier object: cuda::barrier, and the barriers of PTX.
#pragma once

#include <cstdint>
#include <type_traits>

#include "../executor/call_site.h"
#include "../executor/order/interface.h"
#include "../executor/scheduler/scheduler_interface.h"

namespace hirace::cpu {

// The threads of the block that have arrived at a barrier and will wait there.
class ArrivedThreads {
 public:
  void clear() { *this = ArrivedThreads{}; }
  void add(std::uint32_t thread) {
    std::uint64_t& word = bits_[thread / 64];
    const std::uint64_t bit = std::uint64_t{1} << thread % 64;
    count_ += (word & bit) == 0 ? 1 : 0;
    word |= bit;
  }
  std::uint32_t count() const { return count_; }

 private:
  std::uint64_t bits_[max_block_threads / 64]{};
  std::uint32_t count_ = 0;
};

// Of a barrier without a completion function.
struct NoCompletion {
  void operator()() const {}
};

struct BarrierState {
  std::uint32_t expected, pending, phase;
  std::int32_t transactions;  // bytes of copies that the present phase waits for
  bool whole_block[2];  // in the last two phases: whether all threads of the block waited
  ArrivedThreads waiting;

  void begin(std::uint32_t count) {
    order_begin_barrier(this);
    expected = pending = count;
    phase = 0;
    transactions = 0;
    waiting.clear();
  }

  // Counts `count` threads, of which this one will wait if `waits`. Returns the phase.
  template <class Completion>
  std::uint32_t arrive(std::uint32_t count, bool waits, Scope scope, Completion& completion, SiteId site = unknown_site,
                       Order order = Order::release) {
    scheduling_point();
    const std::uint32_t now = __atomic_load_n(&phase, __ATOMIC_ACQUIRE);
    const bool block_scope = scope == Scope::block;
    order_arrive(this, scope, Copier::none, site, order);
    // Threads of one block run on one OS thread.
    if (block_scope && waits && monitor.in_kernel) waiting.add(linear_thread());
    const std::uint32_t left = __atomic_sub_fetch(&pending, count, __ATOMIC_ACQ_REL);
    // Only barriers in shared memory count transactions.
    if (left == 0 && transactions == 0) complete(scope, completion);
    return now;
  }

  // The present phase waits for copies of so many bytes; a negative number of them is complete (PTX ISA,
  // "expect-tx", "complete-tx").
  template <class Completion>
  void expect(std::int32_t bytes, Scope scope, Completion& completion) {
    transactions += bytes;
    if (bytes < 0 && pending == 0 && transactions == 0) complete(scope, completion);
  }

  template <class Completion>
  void complete(Scope scope, Completion& completion) {
    const std::uint32_t now = __atomic_load_n(&phase, __ATOMIC_ACQUIRE);
    whole_block[now % 2] = scope == Scope::block && monitor.in_kernel && waiting.count() == threads_alive();
    waiting.clear();
    if constexpr (!std::is_same_v<Completion, NoCompletion>) {
      const hirace::cpu::Completion by_this_thread(this, scope);
      completion();
    }
    order_complete(this, now);
    __atomic_store_n(&pending, __atomic_load_n(&expected, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    __atomic_store_n(&phase, now + 1, __ATOMIC_RELEASE);
  }

  bool is_over(std::uint32_t waited_for) const { return __atomic_load_n(&phase, __ATOMIC_ACQUIRE) != waited_for; }
  void wait(std::uint32_t waited_for, SiteId site) const {
    while (!is_over(waited_for)) let_others_run(site);
  }
};

// To the state machine, only a barrier of the whole block is known.
inline void barrier_not_modelled(SiteId site) {
  if (site != unchecked_site && !launch_is_ordered()) record_construct(site, other_construct);
}

}  // namespace hirace::cpu
