// The check of accesses in a launch that the order engine follows (order/engine.h).
//
// In such a launch the window is empty, so that every access ends here. The shadow words still say
// which memory is poisoned, and which has been accessed at all.
#pragma once

#include "../order/launch_order.h"
#include "check.h"
#include "race_record.h"
#include "slow_check.h"

namespace hirace::cpu {

// The strength of an access that only its kind describes. An update is checked as a write, which
// conflicts with everything that its read conflicts with.
constexpr Strength strength_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::read: return {Order::weak, Scope::system, true, false, true};
    case AccessKind::write:
    case AccessKind::update: return {Order::weak, Scope::system, false, true, false};
    case AccessKind::block_atomic: return atomic_operation(Order::relaxed, Scope::block);
    case AccessKind::device_atomic: return atomic_operation(Order::relaxed, Scope::device);
    case AccessKind::volatile_read: return strong_load(Order::relaxed, Scope::system);
    case AccessKind::volatile_write: return strong_store(Order::relaxed, Scope::system);
  }
  return {};
}

// The running thread's number for the order engine: each warp counts as one thread if its lanes run
// in lockstep.
inline std::uint32_t ordered_thread() {
  const Layout& layout = current_launch.layout;
  return order::running->numbering.thread(layout.block_of(monitor.me), static_cast<std::uint32_t>(layout.thread_of(monitor.me)));
}

// The strength of an access by the configuration.
inline Strength configured(Strength how) {
  if (semantics.relaxed_loads_acquire && how.order != Order::weak && how.reads && !acquires(how.order)) {
    how.order = releases(how.order) ? Order::acquire_release : Order::acquire;
  }
  return how;
}

// A piece of memory that the engine compares as one. Wider accesses are made of several.
constexpr std::size_t most_ordered_bytes = 64;

struct OrderedAccess {
  AccessInfo info;
  Strength how;
  Granule first;      // in the window
  std::size_t begin;  // of the access, in bytes from the start of the first granule
  bool shared;
};

// Marks a granule as accessed, for later launches. Ends the program if it is poisoned.
inline void touch(Monitor& m, Granule granule, const AccessInfo& access) {
  Word& word = m.words[granule];
  if (state_of(word) == poison_state) {
    fail(word == poison_word(Poison::freed) ? Fault::use_after_free : Fault::out_of_bounds, access.site, access.address);
  }
  if (word == 0) word = word_of(static_cast<unsigned>(State::write), m.me, false);
}

// Compares the bytes of one access with earlier ones. Returns whether they race.
inline bool follow(Monitor& m, const OrderedAccess& access, std::size_t size, bool report) {
  const std::uint32_t own = ordered_thread();
  const std::uint32_t thread = m.copies ? order::running->numbering.copier(own) : own;
  const std::uint64_t block = current_launch.layout.block_of(m.me);
  bool race = false;
  std::size_t done = 0;
  for (Granule granule = access.first; done < size; ++granule) {
    const std::size_t at = granule * granule_bytes;
    const std::size_t begin = access.first * granule_bytes + access.begin;
    const std::size_t end_here = at + granule_bytes < begin + size ? at + granule_bytes : begin + size;
    const std::size_t begin_here = at > begin ? at : begin;
    touch(m, granule, access.info);
    if (current_launch.watched != 0 && !access.shared) {
      const unsigned bytes = ((1u << (end_here - begin_here)) - 1) << (begin_here - at);
      const bool with_launch = compare_with_launches(m, granule, bytes, access.info, report && !race);
      race |= with_launch;
    }
    const order::Access now{access.how, static_cast<std::int8_t>(static_cast<std::ptrdiff_t>(begin) - static_cast<std::ptrdiff_t>(at)),
                            static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(access.info.kind), access.info.site};
    order::Location& location = access.shared ? order::running->shared(block, granule) : order::running->global(granule + m.first_granule);
    if (const std::optional<order::Race> found = order::running->engine.access(thread, location, now)) {
      if (report && !race) record_ordered_race(access.info, access.shared, now, *found);
      race = true;
    }
    done = end_here - begin;
  }
  return race;
}

HIRACE_COLD HIRACE_RUNTIME void check_in_order(std::uintptr_t address, std::size_t size, AccessKind kind, const Strength& how, SiteId site,
                                               std::size_t align, bool reads) {
  Monitor& m = monitor;
  m.site = site;
  const std::uintptr_t offset = address - m.window;
  Granule first = offset / granule_bytes;
  const bool in_window = first < m.ordered_granules;
  if (!in_window) {
    --m.granted;
    if (!m.section) return;
    if (!shadow_memory().in_section(address)) {
      if (!arena().contains(address) && !is_private(address, kind)) ++m.outside;
      return;
    }
    ++m.granted;
    first = shadow_memory().section_granule(address) - m.first_granule;
  }
  if (address % align != 0) fail_misaligned(address, site);
  const bool shared = first < m.shared_granules && in_window;
  if (in_window && how.writes) note_written(m, address);
  const Word old = m.words[first];
  const bool wide = size > most_ordered_bytes;
  const std::size_t skip = address % granule_bytes;
  bool race = false;
  for (std::size_t done = 0; done < size;) {
    const std::size_t left = size - done;
    const std::size_t piece = !wide ? left : left < most_ordered_bytes ? left : most_ordered_bytes;
    const std::size_t begin = skip + done;
    const AccessInfo info{kind, site, address + done, saturated(piece)};
    race |= follow(m, {info, configured(how), first + begin / granule_bytes, begin % granule_bytes, shared}, piece, !race);
    done += piece;
  }
  if (in_window && !shared && reads && old == 0 && looks_fresh(m, first)) check_written(m, offset, size, site);
}

HIRACE_RUNTIME void yield_before_exchange() {
  // The check takes one from the budget.
  while (monitor.in_kernel && monitor.budget <= 0) yield_point();
}

HIRACE_RUNTIME void check_strong_in_order(AccessKind kind, const Strength& how, const volatile void* pointer, std::size_t size, SiteId site,
                                          std::size_t align, bool reads) {
  if (!monitor.in_kernel) return;
  if (--monitor.budget < 0) yield_point();
  if (!how.writes) note_spin(spin_cost / 8);
  check_in_order(reinterpret_cast<std::uintptr_t>(pointer), size, kind, how, site, align, reads);
}

}  // namespace hirace::cpu
