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

HIRACE_RUNTIME BarrierState& barrier_object(const void* object) {
  // Threads of other blocks of a cluster may arrive, too.
  static std::mutex mutex;
  static std::unordered_map<const void*, BarrierState>* const all = new std::unordered_map<const void*, BarrierState>;
  const std::lock_guard<std::mutex> lock(mutex);
  return (*all)[object];
}

}  // namespace hirace::cpu::ptx
