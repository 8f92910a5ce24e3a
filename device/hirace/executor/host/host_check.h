// The check of an access by host code to memory that kernels access, too.
//
// Launches, copies and fills run to their end before their calls return, so the host's accesses come
// after them here. On a GPU they may overlap until the host has waited (stream_order.h). What the
// host does before a launch comes before it. So only the accesses of kernels and transfers are
// remembered: kernels' per granule (launch_accesses.h), transfers' as ranges (transfers.h).
//
// A flag that a kernel sets and the host polls also orders the two. hirace does not model that: once
// the host has read what a kernel wrote, both by strong accesses, the launch counts as waited for.
#pragma once

#include <algorithm>

#include "../check/check.h"
#include "../check/race_record.h"
#include "host_memory.h"
#include "transfers.h"

namespace hirace::cpu {

struct HostAccess {
  std::uintptr_t address;
  std::size_t bytes;
  AccessKind kind;
  const void* code;  // the instruction after it
};

constexpr bool is_strong_on_host(AccessKind kind) { return is_strong(kind) && kind != AccessKind::block_atomic; }

// The access of the host, as far as a record describes it; `place` is one of its bytes.
inline Record race_with_host(const HostAccess& access, std::uintptr_t place) {
  Record record{};
  record.type = RecordType::race;
  record.space = Space::global;
  record.relation = RaceScope::host;
  record.kernel = no_kernel;
  record.current_access = access.kind;
  record.current_size = saturated(access.bytes);
  record.address = place;
  record.code_current = code_address(static_cast<const char*>(access.code) - 1);
  return record;
}

// `prior`: what the host races with.
inline void add_race_with_host(const Record& record, const WatchedLaunch& prior) {
  recorder().add(record, [&](Whereabouts& where) {
    describe_object(where, record.address);
    describe_prior(where, prior);
  });
  if (record.not_modelled == 0) halt_if_asked();
}

HIRACE_COLD inline void record_race_with_transfer(const HostAccess& access, const HostTransfer& prior) {
  Record record = race_with_host(access, std::max(access.address, prior.begin));
  record.prior_known = PriorKnown::site;
  record.site_prior = prior.site;
  record.prior_access = prior.kind;
  const WatchedLaunch transfer = stream_order().at(prior.number);
  record.race.prior_stream = transfer.stream;
  record.not_modelled = stream_order().may_have_ordered(prior.number);
  add_race_with_host(record, transfer);
}

HIRACE_COLD inline void record_race_with_launch(const HostAccess& access, std::uintptr_t place, const LaunchAccess& prior) {
  const WatchedLaunch launch = stream_order().at(prior.launch());
  Record record = race_with_host(access, place);
  record.kernel = launch.kernel;
  record.prior_known = PriorKnown::site;
  record.site_prior = prior.site();
  record.prior_access = prior.kind();
  record.race.prior_kernel = static_cast<std::uint16_t>(launch.kernel);
  record.race.prior_stream = launch.stream;
  record.not_modelled = stream_order().may_have_ordered(prior.launch());
  if (prior.narrow()) record.facts |= prior_excludes_host;
  add_race_with_host(record, launch);
}

// A kernel and the host communicate by this location.
HIRACE_COLD inline void note_communication(const HostAccess& access, const LaunchAccess& prior) {
  const bool host_reads = access.kind != AccessKind::volatile_write;
  const bool kernel_writes = prior.kind() != AccessKind::volatile_read;
  const WatchedLaunch launch = stream_order().at(prior.launch());
  recorder().not_modelled(launch.kernel, flag_of_host);
  Record record{};
  record.type = RecordType::not_modelled;
  record.kernel = launch.kernel;
  record.site_current = prior.site();
  record.not_modelled = flag_of_host;
  recorder().add(record);
  if (host_reads && kernel_writes) stream_order().host_saw(prior.launch());
}

inline void compare_with_host(const HostAccess& access, std::uintptr_t place, const LaunchAccess& prior) {
  // Copies and fills are known as ranges.
  if (stream_order().is_before_host(prior.launch()) || stream_order().at(prior.launch()).work != WorkKind::kernel) return;
  const bool strong = is_strong_on_host(access.kind) && is_strong_on_host(prior.kind());
  if (strong && !prior.narrow()) return note_communication(access, prior);
  const bool only_read = is_read(access.kind) && is_read(prior.kind());
  if (strong ? !only_read : conflict_between_launches(access.kind, prior.kind())) record_race_with_launch(access, place, prior);
}

// The first granule of memory of the host.
inline Granule granule_of(std::uintptr_t address) {
  return arena().contains(address) ? (address - arena().base()) / granule_bytes : shadow_memory().granule_outside(address);
}

HIRACE_COLD HIRACE_RUNTIME void check_host_access(const HostAccess& access) {
  if (monitor.in_kernel || access.bytes == 0) return;
  if (acts_for_device != 0 && !runs_host_function) return;
  if (!host_memory().contains(access.address)) return;
  if (runs_host_function) return recorder().note_limit(host_functions_not_followed);
  host_transfers().visit(access.address, access.bytes, [&](const HostTransfer& prior) {
    const bool ordered = stream_order().is_before_host(prior.number);
    if (!ordered && conflict_between_launches(access.kind, prior.kind)) record_race_with_transfer(access, prior);
  });
  const Granule first = granule_of(access.address);
  const std::size_t begin = access.address % granule_bytes, end = begin + access.bytes;
  for (std::size_t at = 0; at < end; at += granule_bytes) {
    unsigned bytes = (1u << granule_bytes) - 1;
    if (at == 0) bytes &= bytes << begin;
    if (end - at < granule_bytes) bytes &= (1u << (end - at)) - 1;
    launch_accesses().visit(first + at / granule_bytes, bytes, [&](const LaunchAccess& prior) {
      compare_with_host(access, at == 0 ? access.address : access.address - begin + at, prior);
    });
  }
}

__attribute__((noinline)) HIRACE_RUNTIME void report_slowly(const void* memory, std::size_t bytes, AccessKind kind, const void* code) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  if (!host_memory().contains(address)) return;
  if (acts_for_device == 0) note_host_thread();
  if (host_is_behind.load(std::memory_order_relaxed)) check_host_access({address, bytes, kind, code});
}

// An access of host code, at `code`. Loops of the host call this at every access, most of them while nothing runs.
HIRACE_HOOK void report(const void* memory, std::size_t bytes, AccessKind kind, const void* code) {
  if (__builtin_expect(!host_thread_is_known || host_is_behind.load(std::memory_order_relaxed), 0)) report_slowly(memory, bytes, kind, code);
}

}  // namespace hirace::cpu
