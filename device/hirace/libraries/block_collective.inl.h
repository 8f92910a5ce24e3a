// The definitions of block_collective.h.
#pragma once

#include <cstdio>

#include "../executor/scheduler/scheduler.h"
#include "block_collective.h"

namespace hirace::cpu {

HIRACE_RUNTIME void mark(AccessKind kind, std::uint32_t* marker, SiteId site) {
  const LaterStore nothing_is_stored;
  if (site != unchecked_site) hirace::detail::check_lvalue(site, *marker, kind, kind);
}

[[noreturn]] inline void fail_collective(const BlockOperationPlan& plan, const char* why, SiteId site) {
  std::fprintf(stderr, "hirace: %s of %u threads %s\n", plan.name, plan.threads, why);
  fail(Fault::barrier_deadlock, site, 0);
}

constexpr const char* some_missing = "was not reached by all threads of the block: some have exited, or are waiting at another barrier";

// Collects the threads in the same operation; returns their number. The current thread is the last to arrive.
inline std::uint32_t gather(Block& block, const BlockData& own, const BlockOperationPlan& plan, BlockData** data, SiteId site) {
  for (std::uint32_t i = 0; i < plan.threads; ++i) data[i] = nullptr;
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i <= block.at_barrier->size(); ++i) {
    const Waiting& fiber = i < block.at_barrier->size() ? *block.at_barrier->at(i) : this_worker->fiber();
    auto* const operand = static_cast<BlockData*>(fiber.operand);
    if (operand == nullptr || operand->operation != own.operation) {
      fail_collective(plan, "was not reached by all threads of the block: some are waiting at another barrier", site);
    }
    if (fiber.thread >= plan.threads) fail_collective(plan, "runs in a larger block", site);
    data[fiber.thread] = operand;
    ++count;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    if (data[i] == nullptr) fail_collective(plan, some_missing, site);
  }
  return count;
}

HIRACE_RUNTIME void join_block_operation(SiteId site, const BlockOperationPlan& plan, std::uint32_t* markers, BlockData& data) {
  Block& block = this_worker->block();
  Fiber& fiber = this_worker->fiber();
  const std::uint32_t thread = fiber.thread;
  if (thread >= plan.threads) fail_collective(plan, "runs in a larger block", site);
  if (markers != nullptr) mark(AccessKind::write, &markers[thread], site);
  data.done = false;
  fiber.operand = &data;
  this_worker->leave_lockstep();
  if (block.at_barrier->size() + 1 == block.alive) {
    BlockData* operands[max_block_threads];
    const std::uint32_t count = gather(block, data, plan, operands, site);
    if (count < (plan.needed < plan.threads ? plan.needed : plan.threads)) {
      fail_collective(plan, "runs with fewer threads: the block is smaller, or some have exited", site);
    }
    plan.run(plan.combine, operands, count);
    for (std::uint32_t i = 0; i < count; ++i) operands[i]->done = true;
  }
  syncthreads(site);
  this_worker->fiber().operand = nullptr;
  if (!data.done) fail_collective(plan, some_missing, site);
  if (markers != nullptr) mark(AccessKind::read, &markers[thread + 1 < plan.threads ? thread + 1 : 0], site);
}

}  // namespace hirace::cpu
