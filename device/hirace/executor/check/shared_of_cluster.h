// The shared memory of blocks in clusters, which all blocks of a cluster can access as long as the owner runs
// (order/block_lives.h). Its words are those of memory that several blocks access.
#pragma once

#include "../order/launch_order.h"
#include "../scheduler/cluster_interface.h"
#include "fault_record.h"
#include "shadow_memory.h"
#include "whereabouts.h"

namespace hirace::cpu {

inline std::uint32_t first_thread_of(std::uint64_t block) { return order::running->thread(block, 0); }

// The fault of an access to the shared memory of a block that may not run.
inline Record absent_block(std::uint64_t owner, SiteId site, std::uintptr_t address) {
  Record record = fault_record(Fault::absent_block, site, address);
  record.space = Space::shared;
  record.prior_known = PriorKnown::site_and_thread;
  record.prior_block = unflatten(owner, grid_dimensions());
  return record;
}

// A block begins, with so many bytes of shared memory: forgets accesses by the blocks that had the memory before.
inline void begin_shared_of_block(std::uint64_t block, const char* shared, std::size_t bytes) {
  const std::size_t first = (reinterpret_cast<std::uintptr_t>(shared) - arena().base()) / granule_bytes;
  Word* const words = shadow_memory().words + first;
  for (std::size_t i = 0; i * granule_bytes < bytes; ++i) {
    if (state_of(words[i]) != poison_state) words[i] = 0;
  }
  if (launch_is_ordered()) order::running->lives.begin(order::running->engine, order::running->number(block), first_thread_of(block));
}

// All its threads have exited.
inline void end_shared_of_block(std::uint64_t block) {
  if (!launch_is_ordered()) return;
  const auto late = order::running->lives.end(order::running->engine, order::running->number(block), first_thread_of(block));
  if (!late) return;
  Record record = absent_block(block, late->race.past.access.site, late->address);
  const order::Thread by = late->race.past.by.thread;
  record.current_block = unflatten(by.block - order::running->first_block, grid_dimensions());
  record.current_thread = unflatten(order::running->numbering.place(by.number), block_dimensions());
  recorder().add(record, [&](Whereabouts& where) {
    describe_running_launch(where);
    describe_object(where, late->address);
  });
  halt_if_asked();
}

// An access to shared memory. False if it belongs to another block, which does not run: there is nothing to check.
inline bool enter_shared_of_other(std::uintptr_t address, AccessKind kind, SiteId site) {
  SharedOwner owner;
  if (!find_other_owner(address, owner)) return true;
  if (owner.runs && launch_is_ordered()) {
    const std::uint32_t block = order::running->number(owner.block);
    if (!order::running->lives.use(order::running->engine, block, accessing_thread(), static_cast<std::uint8_t>(kind), site, address)) return true;
  } else if (owner.runs) {
    return true;
  }
  recorder().add(absent_block(owner.block, site, address), [&](Whereabouts& where) { describe_access(where, address); });
  halt_if_asked();
  return owner.runs;
}

}  // namespace hirace::cpu
