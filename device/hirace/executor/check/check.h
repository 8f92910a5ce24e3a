// The check of one access on the CPU: what most accesses need, in line. slow_check.h and
// check.inl.h have the rest.
#pragma once

#include "../../checker/transition.h"
#include "../scheduler/scheduler_interface.h"
#include "checked_launch.h"
#include "granule.h"
#include "shadow_page.h"

namespace hirace::cpu {

// In check.inl.h and slow_check.h.

// The common case of step_granule(): a whole granule, seen before in this launch, and no
// race. False where the slow path has to look. `offset` is the granule's from where the access
// begins.
template <AccessKind kind>
bool change_word(Granule index, std::size_t size, std::size_t offset, SiteId site);

// The first access to a granule in this launch, where other OS threads may have the same
// in mind. False where the slow path has to look.
bool claim_first(Monitor& m, Granule index, Word word, SiteId mark);

// Everything that the fast path leaves: changed words, bytes, poison, volatile.
// One access reports one race at most, however many granules it touches.
void check_slow(std::size_t offset, std::size_t size, Granule first, AccessKind kind, SiteId site, std::uintptr_t address);

// Memory that is not in the arena: __device__ variables have shadow of their
// own; locals and host memory have none.
void check_outside(std::uintptr_t address, std::size_t size, AccessKind kind, SiteId site, std::size_t align);

// An access to the window that is not of whole granules, or not aligned.
void check_odd(Monitor& m, AccessKind kind, std::uintptr_t address, std::size_t size, SiteId site, std::size_t align, bool reads);

// A read that may have found nothing but fresh memory (fresh_memory.h): the first access to
// its granule. All granules that it touches must be fresh: the rest may be padding.
void check_written(Monitor& m, std::size_t offset, std::size_t size, SiteId site);

// Whether `volatile` accesses are strong, as the configuration says.
bool volatile_is_strong();

// `kind` is a constant where this is inlined.
HIRACE_HOOK bool change_word(AccessKind kind, Granule index, std::size_t size, std::size_t offset, SiteId site) {
  switch (kind) {
    case AccessKind::read: return change_word<AccessKind::read>(index, size, offset, site);
    case AccessKind::write: return change_word<AccessKind::write>(index, size, offset, site);
    case AccessKind::update: return change_word<AccessKind::update>(index, size, offset, site);
    case AccessKind::block_atomic: return change_word<AccessKind::block_atomic>(index, size, offset, site);
    case AccessKind::device_atomic: return change_word<AccessKind::device_atomic>(index, size, offset, site);
    case AccessKind::volatile_write: return change_word<AccessKind::volatile_write>(index, size, offset, site);
    case AccessKind::volatile_read: return false;
  }
  return false;
}

// The word that `me` leaves with a state.
HIRACE_HOOK Word word_of(unsigned state, Word me, bool shared) {
  return (Word{state} << state_shift) | (me & current_launch.layout.keep[shared][state]);
}

// Whether the launch cannot write what lies at an address, of device memory or any other.
HIRACE_HOOK bool is_read_only(const Monitor& m, std::uintptr_t address) {
  return m.generation != no_generation && m.generations[address / read_only_unit] == m.generation;
}

// Memory was written that the launch was taken only to read.
void note_read_only_written();

// Before the first change of a granule's word in this launch by an access that is no read.
HIRACE_HOOK void note_written(const Monitor& m, std::uintptr_t address) {
  if (__builtin_expect(is_read_only(m, address), 0)) note_read_only_written();
}

// Whether a granule of the window still holds what the heap filled it with.
HIRACE_HOOK bool looks_fresh(const Monitor& m, Granule index) {
  return reinterpret_cast<const std::uint32_t*>(m.window)[index] == fresh_pattern(index + m.first_granule);
}

// There is nothing to compare the first access to a granule in this launch with, or the
// first by this block to shared memory. `mark` is its site, with the flag of those that began
// before the granule. False where the slow path has to look.
HIRACE_HOOK bool check_first(Monitor& m, Granule index, Word old, Word difference, AccessKind kind, SiteId mark) {
  const bool first =
      (difference & epoch_field) != 0 || (index < m.shared_granules && (difference & current_launch.layout.block_field) != 0);
  if (!first || state_of(old) == poison_state || (m.me & slow_flags) != 0) return false;
  if (kind != AccessKind::read) note_written(m, m.window + index * granule_bytes);
  // Such a state keeps every field.
  const Word word = (Word{first_state(folded(kind))} << state_shift) | m.me;
  if (index < m.own_granules) {
    m.words[index] = word;
    m.sites[index] = mark;
    return true;
  }
  if (!enter_page(m, index)) return claim_first(m, index, word, mark);
  // Nobody else changes words here, so that it is stale still.
  __atomic_store_n(&m.words[index], word, __ATOMIC_RELAXED);
  m.sites[index] = mark;
  leave_page(m);
  return true;
}

// Whether an access of a kind uses the value that was there. Atomics may be mere stores.
HIRACE_HOOK constexpr bool uses_value(AccessKind kind) {
  return kind == AccessKind::read || kind == AccessKind::update || kind == AccessKind::volatile_read;
}

// Whether no thread can write what an access reads; it may reach into the next unit.
HIRACE_HOOK bool reads_read_only(const Monitor& m, std::uintptr_t address, std::size_t size, std::size_t align) {
  return is_read_only(m, address) && address % align == 0 && (size <= align || is_read_only(m, address + size - 1));
}

// The check. `kind`, `size`, the alignment of the type and `reads` are constants where it
// is inlined.
//
// A word stays as it is exactly when the fields that its state keeps are those of
// the running thread, and the state, for such a thread, does not change: a field
// that was dropped could make no difference. Shared memory needs no masks of its own for
// that: a word forgets its block only where blocks have met, and in shared memory they
// never do, because there a word of another block is stale.
HIRACE_HOOK void check(AccessKind kind, const volatile void* pointer, std::size_t size, SiteId site, std::size_t align, bool reads) {
  Monitor& m = monitor;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (kind == AccessKind::read && __builtin_expect_with_probability(reads_read_only(m, address, size, align), 1, 0.7)) return;
  if (__builtin_expect(--m.budget < 0, 0)) yield_point();
  // A thread that polls should not use up its budget before it lets others run.
  if (kind == AccessKind::volatile_read) note_spin(spin_cost / 8);
  const std::uintptr_t offset = address - m.window;
  if (kind == AccessKind::volatile_read || size % granule_bytes != 0) {
    if (__builtin_expect(offset / granule_bytes >= m.window_granules, 0)) return check_outside(address, size, kind, site, align);
    return check_odd(m, kind, address, size, site, align, reads);
  }
  // Rotated, so that an address within a granule lies far beyond the window, too.
  static_assert(granule_bytes == 4);
  const Granule index = offset >> 2 | offset << 62;
  if (__builtin_expect(index >= m.window_granules || index % (align < granule_bytes ? 1 : align / granule_bytes) != 0, 0)) {
    if (offset / granule_bytes >= m.window_granules) return check_outside(address, size, kind, site, align);
    return check_odd(m, kind, address, size, site, align, reads);
  }
  for (std::size_t i = 0; i < size / granule_bytes; ++i) {
    const Word old = __atomic_load_n(&m.words[index + i], __ATOMIC_RELAXED);
    const Word difference = old ^ m.me;
    if ((difference & current_launch.layout.steady[static_cast<unsigned>(folded(kind))][state_of(old)]) == 0) continue;
    if (check_first(m, index + i, old, difference, kind, i == 0 ? site : site | site_continued)) {
      const bool global = index >= m.shared_granules;
      if (reads && old == 0 && global && looks_fresh(m, index + i)) check_written(m, offset, size, site);
    } else if (!change_word(kind, index + i, size, i * granule_bytes, site)) {
      m.reads_value = reads;
      return check_slow(offset, size, index, kind, site, address);
    }
  }
}

HIRACE_HOOK void check(AccessKind kind, const volatile void* pointer, std::size_t size, SiteId site, std::size_t align = 1) {
  check(kind, pointer, size, site, align, uses_value(kind));
}

}  // namespace hirace::cpu

namespace hirace {
// What the headers above this one call, whichever backend it is.
namespace backend = cpu;
}  // namespace hirace
