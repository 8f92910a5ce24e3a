// The definitions of check.h.
#pragma once

#include "check.h"
#include "ordered_check.h"
#include "shadow_ownership.h"
#include "slow_check.h"

namespace hirace::cpu {

HIRACE_RUNTIME bool take_page(Monitor& m, std::uint32_t& owner) { return shadow_ownership().take(m, owner); }

HIRACE_COLD HIRACE_RUNTIME void note_read_only_written() { recorder().limit(current_launch.kernel, read_only_written); }

HIRACE_COLD HIRACE_RUNTIME void note_touched(const Monitor& m, Granule index) {
  shadow_memory().note_touched((index + m.first_granule) / touched_granules);
}

HIRACE_RUNTIME bool volatile_is_strong() { return semantics.volatile_is_strong; }
HIRACE_RUNTIME bool shuffles_order() { return semantics.shuffles_order; }

// Who else remembers an access to whole granules, besides the word.
enum class Remembered { by_none, by_host, by_launches };

// Remembers it. False if it may race, or if the slow path has to look at it.
inline bool remember(Remembered by, const Monitor& m, Granule index, AccessKind kind, SiteId site) {
  if (by == Remembered::by_none) return true;
  if (by == Remembered::by_launches) return launch_accesses().add_if_ordered(index + m.first_granule, whole_access(m, kind, site));
  note_for_host(m, index, kind, site);
  return true;
}

// What check_first() does for other launches.
inline bool make_first_word(Remembered by, Monitor& m, Granule index, Word old, const Witness& witness) {
  if (old == 0 && index >= m.shared_granules && looks_fresh(m, index)) return false;
  // To look may have shown that this is memory of no allocation.
  if (__atomic_load_n(&m.words[index], __ATOMIC_RELAXED) != old) return false;
  if (!remember(by, m, index, witness.kind, witness.site)) return false;
  if (witness.kind != AccessKind::read) note_written(m, m.window + index * granule_bytes);
  touch(m, index);
  __atomic_store_n(&m.words[index], (Word{first_state(folded(witness.kind))} << state_shift) | witness.who, __ATOMIC_RELAXED);
  Witnesses(m, index).restart(witness, first_state(folded(witness.kind)));
  return true;
}

template <AccessKind kind>
__attribute__((noinline)) bool change_word(Granule index, std::size_t size, std::size_t offset, SiteId site) {
  Monitor& m = monitor;
  const GranuleLock lock(m, index);
  const bool shared = index < m.shared_granules, followed = (m.me & slow_flags) != 0;
  if (followed && !only_others_follow(m.me)) return false;
  // Neither other launches nor the host can access shared memory.
  const Remembered by = !followed || shared ? Remembered::by_none : current_launch.overlaps ? Remembered::by_launches : Remembered::by_host;
  const Word me = m.me & ~slow_flags;
  const Word old = __atomic_load_n(&m.words[index], __ATOMIC_RELAXED);
  if (state_of(old) >= split_state || (old & strong_flag) != 0) return false;
  const Witness witness{me, site, kind, saturated(size), saturated(offset)};
  if (stale(old, shared)) return followed && make_first_word(by, m, index, old, witness);
  const Layout& layout = current_launch.layout;
  const bool fresh = covers_all(layout, old ^ me, shared);
  const unsigned state = fresh ? first_state(folded(kind)) : next_state(layout, old, me, folded(kind));
  if (state == static_cast<unsigned>(State::race)) return false;
  const Word word = word_of(state, me, shared);
  if (!remember(by, m, index, kind, site)) return false;
  if (word == old) return true;
  __atomic_store_n(&m.words[index], word, __ATOMIC_RELAXED);
  Witnesses witnesses(m, index);
  if (fresh) {
    witnesses.restart_alone(witness, state);
  } else {
    witnesses.add(layout, recorded_access(old, witnesses.site()), witness, shared, state);
  }
  return true;
}

#if defined(HIRACE_BUILDS_LIBRARY)
template bool change_word<AccessKind::read>(Granule, std::size_t, std::size_t, SiteId);
template bool change_word<AccessKind::write>(Granule, std::size_t, std::size_t, SiteId);
template bool change_word<AccessKind::update>(Granule, std::size_t, std::size_t, SiteId);
template bool change_word<AccessKind::block_atomic>(Granule, std::size_t, std::size_t, SiteId);
template bool change_word<AccessKind::device_atomic>(Granule, std::size_t, std::size_t, SiteId);
#endif

__attribute__((noinline)) HIRACE_RUNTIME bool claim_first(Monitor& m, Granule index, Word word, SiteId mark) {
  const std::uint32_t before = __atomic_fetch_or(&m.sites[index], site_lock, __ATOMIC_ACQUIRE);
  if ((before & site_lock) != 0) return false;
  const bool still_stale = stale(__atomic_load_n(&m.words[index], __ATOMIC_RELAXED), false);
  if (still_stale) __atomic_store_n(&m.words[index], word, __ATOMIC_RELAXED);
  __atomic_store_n(&m.sites[index], still_stale ? mark : before, __ATOMIC_RELEASE);
  return still_stale;
}

HIRACE_RUNTIME void check_odd(Monitor& m, AccessKind kind, std::uintptr_t address, std::size_t size, SiteId site, std::size_t align,
                              bool reads) {
  const std::uintptr_t offset = address - m.window;
  if (offset % align != 0) fail_misaligned(address, size, site);
  m.reads_value = reads;
  check_slow(offset, size, offset / granule_bytes, kind, site, address);
}

// The check of an access that takes the slow path, whatever the word is.
inline void check_slowly(AccessKind kind, std::uintptr_t address, std::size_t size, SiteId site, std::size_t align, bool reads) {
  Monitor& m = monitor;
  const bool in_window = (address - m.window) / granule_bytes < m.window_granules;
  in_window ? check_odd(m, kind, address, size, site, align, reads) : check_not_in_window(m, address, size, kind, site, align, reads);
}

HIRACE_COLD HIRACE_RUNTIME void check_narrow(AccessKind kind, const Strength& how, const volatile void* pointer, std::size_t size, SiteId site,
                                             std::size_t align, bool reads) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  // A compare-and-swap that fails only reads.
  if (!how.writes && kind == AccessKind::device_atomic) kind = AccessKind::volatile_read;
  monitor.narrow = watches_host() && host_memory().contains(address);
  if (launch_is_ordered()) {
    check_strong_in_order(kind, how, pointer, size, site, align, reads);
  } else {
    if (acquires(how.order) || releases(how.order)) record_construct(site, memory_fence);
    // The word of an earlier access, of another scope, must not hide this one.
    monitor.narrow ? check_slowly(kind, address, size, site, align, reads) : check_counted(kind, pointer, size, site, align, reads);
  }
  monitor.narrow = false;
}

HIRACE_COLD HIRACE_RUNTIME void check_followed_texel(AccessKind kind, const void* texel, std::size_t bytes, SiteId site) {
  Monitor& m = monitor;
  const auto address = reinterpret_cast<std::uintptr_t>(texel);
  const bool reads = uses_value(kind);
  if (reads && reads_read_only(m, address, bytes, 1)) return;
  if (--m.budget < 0) yield_point();
  m.texels = true;
  check_slowly(kind, address, bytes, site, 1, reads);
  m.texels = false;
}

}  // namespace hirace::cpu
