// The check of one access on the CPU: the inline part that most accesses need. slow_check.h and
// check.inl.h have the rest.
#pragma once

#include "../../checker/transition.h"
#include "../../hooks/strength.h"
#include "../order/engine_use.h"
#include "../scheduler/scheduler_interface.h"
#include "checked_launch.h"
#include "granule.h"
#include "shadow_page.h"

namespace hirace::cpu {

// Defined in check.inl.h and slow_check.h.

// The common case of step_granule(): a whole granule that was accessed before in this launch, and no race.
// False if the slow path is needed. `offset` is the granule's distance from the start of the access.
template <AccessKind kind>
bool change_word(Granule index, std::size_t size, std::size_t offset, SiteId site);

// The first access to a granule in this launch, when other OS threads may make theirs at the same
// time. False if the slow path is needed.
bool claim_first(Monitor& m, Granule index, Word word, SiteId mark);

// Everything that the fast path does not handle: changed words, bytes, poison, volatile. One access
// reports at most one race with each earlier site, however many granules it touches.
void check_slow(std::size_t offset, std::size_t size, Granule first, AccessKind kind, SiteId site, std::uintptr_t address);

// Memory outside the arena: __device__ variables have their own shadow; locals and host memory have none.
void check_outside(std::uintptr_t address, std::size_t size, AccessKind kind, SiteId site, std::size_t align, bool reads);

// A strong access in such a launch (ordered_check.h), after begin_strong_access().
void check_strong_in_order(AccessKind kind, const Strength& how, const volatile void* pointer, std::size_t size, SiteId site,
                           std::size_t align, bool reads);

// An access to the window that does not cover whole granules or is not aligned.
void check_odd(Monitor& m, AccessKind kind, std::uintptr_t address, std::size_t size, SiteId site, std::size_t align, bool reads);

// A read that may have found only fresh memory (fresh_memory.h): the first access to its granule.
// It counts only if all granules it touches are fresh, since some may be padding.
void check_written(Monitor& m, std::size_t offset, std::size_t size, SiteId site);

// Whether the configuration treats `volatile` accesses as strong.
bool volatile_is_strong();

// `kind` is a constant after inlining.
HIRACE_HOOK bool change_word(AccessKind kind, Granule index, std::size_t size, std::size_t offset, SiteId site) {
  switch (kind) {
    case AccessKind::read: return change_word<AccessKind::read>(index, size, offset, site);
    case AccessKind::write: return change_word<AccessKind::write>(index, size, offset, site);
    case AccessKind::update: return change_word<AccessKind::update>(index, size, offset, site);
    case AccessKind::block_atomic: return change_word<AccessKind::block_atomic>(index, size, offset, site);
    case AccessKind::device_atomic: return change_word<AccessKind::device_atomic>(index, size, offset, site);
    case AccessKind::volatile_write:
    case AccessKind::volatile_read: return false;
  }
  return false;
}

// A word with this state and the fields of `me` that it keeps.
HIRACE_HOOK Word word_of(unsigned state, Word me, bool shared) {
  return (Word{state} << state_shift) | (me & current_launch.layout.keep[shared][state]);
}

// Whether the launch cannot write the memory at an address, device memory or any other.
HIRACE_HOOK bool is_read_only(const Monitor& m, std::uintptr_t address) {
  return m.generation != no_generation && m.generations[address / read_only_unit] == m.generation;
}

// The launch has written memory that was taken for read-only.
void note_read_only_written();

// Called before the first change of a granule's word in this launch, unless the access is a read.
HIRACE_HOOK void note_written(const Monitor& m, std::uintptr_t address) {
  if (__builtin_expect(is_read_only(m, address), 0)) note_read_only_written();
}

// Called before the first change of a granule's word in this launch: the shadow is forgotten part by part.
void note_touched(const Monitor& m, Granule index);
HIRACE_HOOK void touch(const Monitor& m, Granule index) {
  if (__builtin_expect(__atomic_load_n(&m.touched[index / touched_granules], __ATOMIC_RELAXED) == 0, 0)) note_touched(m, index);
}

// Whether a granule of the window still holds the heap's fill pattern.
HIRACE_HOOK bool looks_fresh(const Monitor& m, Granule index) {
  return reinterpret_cast<const std::uint32_t*>(m.window)[index] == fresh_pattern(index + m.first_granule);
}

// The first access to a granule in this launch, or in shared memory the first since a barrier of the block, has
// nothing to be compared with. `mark` is its site, flagged if the access began before the granule.
// False if the slow path is needed.
HIRACE_HOOK bool check_first(Monitor& m, Granule index, Word old, Word difference, AccessKind kind, SiteId mark) {
  // The word cannot tell the order engine the strength of an atomic operation.
  if (folded(kind) >= Access::block_atomic && __builtin_expect(launch_is_ordered(), 0)) return false;
  const bool shared = index < m.shared_granules;
  const bool first = (difference & current_launch.layout.covered[shared]) != 0;
  // The bytes of a split granule have words of their own.
  if (!first || state_of(old) >= split_state || (m.me & current_launch.slow[shared]) != 0) return false;
  if (kind != AccessKind::read) note_written(m, m.window + index * granule_bytes);
  touch(m, index);
  // The state after a first access keeps every field.
  const Word word = (Word{first_state(folded(kind))} << state_shift) | (m.me & ~state_field);
  if (index < m.own_granules) {
    m.words[index] = word;
    m.sites[index] = mark;
    return true;
  }
  if (!enter_page(m, index)) return claim_first(m, index, word, mark);
  // No other thread changes words here, so the word is still stale.
  __atomic_store_n(&m.words[index], word, __ATOMIC_RELAXED);
  m.sites[index] = mark;
  leave_page(m);
  return true;
}

// Whether an access of this kind uses the old value. Atomics may be mere stores.
HIRACE_HOOK constexpr bool uses_value(AccessKind kind) {
  return kind == AccessKind::read || kind == AccessKind::update || kind == AccessKind::volatile_read;
}

// Whether no thread can write what an access reads; the access may extend into the next unit.
HIRACE_HOOK bool reads_read_only(const Monitor& m, std::uintptr_t address, std::size_t size, std::size_t align) {
  return is_read_only(m, address) && address % align == 0 && (size <= align || is_read_only(m, address + size - 1));
}

HIRACE_HOOK constexpr bool is_strong(AccessKind kind) { return !is_plain(kind); }

// An access to memory that is not in the window. In blocks that are left out there is no window, and most
// accesses end here: of such a launch, the order engine needs no more than the strong ones.
HIRACE_HOOK void check_not_in_window(Monitor& m, std::uintptr_t address, std::size_t size, AccessKind kind, SiteId site, std::size_t align,
                                     bool reads) {
  if (m.unchecked && !(is_strong(kind) && launch_is_ordered())) {
    --m.granted;
    return;
  }
  check_outside(address, size, kind, site, align, reads);
}

// The check. `kind`, `size`, the alignment of the type and `reads` are constants after inlining.
//
// A word is unchanged exactly when the fields that its state keeps equal those of the running thread and the
// state does not change for such a thread: a dropped field could make no difference. Shared memory needs no
// masks of its own for this. A word forgets its block only after several blocks accessed the granule, which
// cannot happen in shared memory, where a word of another block is stale.
HIRACE_HOOK void check_counted(AccessKind kind, const volatile void* pointer, std::size_t size, SiteId site, std::size_t align, bool reads) {
  Monitor& m = monitor;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::uintptr_t offset = address - m.window;
  if (kind == AccessKind::volatile_read || kind == AccessKind::volatile_write || size % granule_bytes != 0) {
    if (__builtin_expect(offset / granule_bytes >= m.window_granules, 0)) return check_not_in_window(m, address, size, kind, site, align, reads);
    return check_odd(m, kind, address, size, site, align, reads);
  }
  // Rotated, so that an address within a granule gives an index far beyond the window, too.
  static_assert(granule_bytes == 4);
  const Granule index = offset >> 2 | offset << 62;
  if (__builtin_expect(index >= m.window_granules || index % (align < granule_bytes ? 1 : align / granule_bytes) != 0, 0)) {
    if (offset / granule_bytes >= m.window_granules) return check_not_in_window(m, address, size, kind, site, align, reads);
    return check_odd(m, kind, address, size, site, align, reads);
  }
  for (std::size_t i = 0; i < size / granule_bytes; ++i) {
    const Word old = __atomic_load_n(&m.words[index + i], __ATOMIC_RELAXED);
    const Word difference = old ^ m.me;
    if ((difference & current_launch.layout.steady[static_cast<unsigned>(folded(kind))][state_of(old)]) == 0) continue;
    if (check_first(m, index + i, old, difference, kind, i == 0 ? site : site | site_continued)) {
      const bool global = index >= m.shared_granules;
      if (reads && old == 0 && global && looks_fresh(m, index + i)) check_written(m, offset, size, site);
    } else if (launch_is_ordered() || !change_word(kind, index + i, size, i * granule_bytes, site)) {
      m.reads_value = reads;
      return check_slow(offset, size, index, kind, site, address);
    }
  }
}

// Counts the access, and checks it.
HIRACE_CHECK void check(AccessKind kind, const volatile void* pointer, std::size_t size, SiteId site, std::size_t align, bool reads) {
  if (is_strong(kind)) {
    begin_strong_access(kind == AccessKind::volatile_read);
  } else {
    Monitor& m = monitor;
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (kind == AccessKind::read && __builtin_expect_with_probability(reads_read_only(m, address, size, align), 1, 0.7)) return;
    if (__builtin_expect(--m.budget < 0, 0)) yield_point();
  }
  check_counted(kind, pointer, size, site, align, reads);
}

HIRACE_HOOK void check(AccessKind kind, const volatile void* pointer, std::size_t size, SiteId site, std::size_t align = 1) {
  check(kind, pointer, size, site, align, uses_value(kind));
}

// An access through a texture or a surface. The first one is for launches that may read so what they write.
void check_followed_texel(AccessKind kind, const void* texel, std::size_t bytes, SiteId site);
HIRACE_HOOK void check_texel(AccessKind kind, const void* texel, std::size_t bytes, SiteId site) {
  if (current_launch.follows_texels) return check_followed_texel(kind, texel, bytes, site);
  check(kind, texel, bytes, site);
}

// An access whose scope excludes the host, which may overlap with the launch.
void check_narrow(AccessKind kind, const Strength& how, const volatile void* pointer, std::size_t size, SiteId site, std::size_t align,
                  bool reads);

// Whether lanes that exchange values are ordered by it, by the configuration.
bool shuffles_order();

// Whether a compare-and-swap will write; true if that does not matter, or if another OS thread may decide it.
// Between begin_strong_access() and the operation.
HIRACE_HOOK bool would_exchange(const volatile void* address, const volatile void* compare, std::size_t bytes) {
  const bool matters = launch_is_ordered() || (current_launch.watched != 0 && monitor.exclusive);
  if (__builtin_expect(!matters, 1)) return true;
  return __builtin_memcmp(const_cast<const void*>(address), const_cast<const void*>(compare), bytes) == 0;
}

// The check of an access that orders others, or whose scope `kind` cannot tell, after
// begin_strong_access(). The state machine does not follow such an order: a race that it may have
// prevented is only a possible race.
HIRACE_HOOK void check_strong(AccessKind kind, const Strength& how, const volatile void* pointer, std::size_t size, SiteId site,
                              std::size_t align, bool reads) {
  if (__builtin_expect(current_launch.watched != 0 && how.scope != Scope::system, 0)) return check_narrow(kind, how, pointer, size, site, align, reads);
  if (__builtin_expect(launch_is_ordered(), 0)) return check_strong_in_order(kind, how, pointer, size, site, align, reads);
  if (acquires(how.order) || releases(how.order)) record_construct(site, memory_fence);
  check_counted(kind, pointer, size, site, align, reads);
}

}  // namespace hirace::cpu

namespace hirace {
// The headers above this one call this namespace, for either backend.
namespace backend = cpu;
}  // namespace hirace
