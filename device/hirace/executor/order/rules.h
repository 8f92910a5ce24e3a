// The rules of the memory model that the engine follows, by name, and those by which the executor tells it
// less than everything. Where one is applied, the code asks whether the rule holds. It always does, except in
// tests, which compile the code with one rule broken and expect the model to refute it (`tests/order/`).
#pragma once

#include <cstdint>

// The broken rule.
#if !defined(HIRACE_BROKEN_RULE)
#define HIRACE_BROKEN_RULE none
#endif

namespace hirace::cpu::order {

enum class Rule : std::uint8_t {
  none,
  // Scopes and moral strength (PTX ISA, "Scope", "Morally Strong Operations").
  scope_of_block_excludes_others,
  both_operations_are_strong,
  earlier_scope_counts,
  morally_strong_operations_overlap_completely,
  bytes_have_values_of_their_own,
  // Release and acquire patterns (PTX ISA, "Release and Acquire Patterns").
  acquire_learns,
  acquire_of_block_scope_is_narrow,
  acquire_ends_earlier_reads,
  pattern_is_of_the_same_bytes,
  fence_ends_earlier_reads,
  fence_of_block_scope_learns_from_its_block,
  reduction_returns_nothing,
  fence_begins_a_pattern,
  fence_of_block_scope_publishes_to_its_block,
  release_publishes,
  atomic_operation_keeps_what_was_published,
  other_writes_publish_anew,
  what_follows_a_publication_is_unknown,
  // Observation (PTX ISA, "Observation Order").
  observed_write_is_known,
  later_atomic_operation_observes,
  // Order of fence.sc (PTX ISA, "Fence-SC").
  sequential_fences_have_an_order,
  sequential_fence_reaches_by_its_own_scope,
  sequential_fence_is_reached_by_its_own_scope,
  read_follows_writes,
  write_follows_reads,
  write_follows_writes,
  reader_follows_replaced_reads,
  communication_is_causal,
  reads_do_not_communicate,
  only_sequential_fences_have_an_order,
  publication_tells_of_writes_before,
  // Asynchronous copies and barrier objects (PTX ISA, "cp.async", "mbarrier").
  copy_follows_its_issue,
  copies_are_unordered,
  only_waits_learn_of_copies,
  wait_leaves_groups_pending,
  copies_arrive_with_what_they_did,
  wait_learns_what_arrived,
  // What shadow words tell of granules (check/ordered_granule.h), and which accesses are dropped.
  word_tells_of_one_access,
  word_tells_of_whole_granules,
  repeated_access_is_of_one_time,
  lanes_read_at_one_time,
  // What the state machine finds where it looks first, and beside the engine.
  some_lanes_are_no_warp,
  warp_barrier_advances_a_clock,
  // Work in streams (check/stream_order.h).
  stream_waits_for_event,
  default_stream_waits_for_others,
  others_wait_for_default_stream,
  host_waits_for_work,
  work_follows_what_host_knows,
};

constexpr bool holds(Rule rule) { return rule != Rule::HIRACE_BROKEN_RULE || rule == Rule::none; }

}  // namespace hirace::cpu::order
