// The definitions of ptx_barriers.h.
#pragma once

#include <mutex>
#include <unordered_map>

#include "../executor/scheduler/scheduler.h"
#include "ptx_barriers.h"

namespace hirace::cpu::ptx {

HIRACE_RUNTIME NumberedBarrier& numbered_barrier(std::uint32_t number, std::uint32_t threads) {
  constexpr std::uint32_t most = 16;
  struct Barriers {
    std::uint64_t begun;
    NumberedBarrier each[most];
  };
  // Blocks stay where they are, and the threads of one run on one OS thread.
  thread_local std::unordered_map<const Block*, Barriers> of_blocks;
  const Block& block = this_worker->block();
  Barriers& barriers = of_blocks[&block];
  if (barriers.begun != block.begun) {
    barriers = {};
    barriers.begun = block.begun;
  }
  NumberedBarrier& state = barriers.each[number % most];
  // Each use says anew how many threads meet.
  if (state.expected == 0) {
    state.begin(threads);
  } else if (state.pending == state.expected) {
    state.expected = state.pending = threads;
  }
  return state;
}

// The mbarrier objects by their addresses. Threads of other blocks of a cluster may arrive, too.
class BarrierObjects {
 public:
  BarrierState& state(const void* object) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Entry& entry = all_[object];
    return entry.elsewhere != nullptr ? *entry.elsewhere : entry.own;
  }
  void name(const void* object, BarrierState* state) {
    const std::lock_guard<std::mutex> lock(mutex_);
    all_[object].elsewhere = state;
  }

 private:
  struct Entry {
    BarrierState own;
    BarrierState* elsewhere;
  };
  std::mutex mutex_;
  std::unordered_map<const void*, Entry> all_;
};
inline BarrierObjects& barrier_objects() {
  // Threads may use it until the process ends.
  static BarrierObjects* const all = new BarrierObjects;
  return *all;
}

HIRACE_RUNTIME BarrierState& barrier_object(const void* object) { return barrier_objects().state(object); }
HIRACE_RUNTIME void name_barrier(const void* object, BarrierState* state) { barrier_objects().name(object, state); }

}  // namespace hirace::cpu::ptx
