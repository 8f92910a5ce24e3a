// The check of an access beyond the common cases: races, bytes, poison, volatile reads, memory
// outside the arena.
//
// The paper updates a word by compare-and-swap. Here, a word that does not change costs one load. A
// word that changes is updated under a lock bit in its site word: both must change
// together so that reports name the right site, and taking the lock costs one atomic operation, as
// a compare-and-swap would. Shared memory, launches on one OS thread and pages of shadow that one
// OS thread owns (shadow_ownership.h) need neither.
#pragma once

#include "access_extent.h"
#include "access_fault.h"
#include "check.h"
#include "fresh_memory.h"
#include "../host/host_memory.h"
#include "race_record.h"
#include "section_gaps.h"
#include "shared_of_cluster.h"
#include "../scheduler/scheduler_interface.h"

namespace hirace::cpu {

// Protects a granule's shadow from other OS threads: not needed if no other thread checks the
// granule; an owned page is entered; in a shared page the lock bit is taken.
class GranuleLock {
 public:
  GranuleLock(Monitor& m, Granule granule) : monitor_(m), site_(m.sites[granule]), kind_(Kind::none) {
    if (granule < m.own_granules) return;
    kind_ = enter_page(m, granule) ? Kind::page : Kind::bit;
    while (kind_ == Kind::bit && (__atomic_fetch_or(&site_, site_lock, __ATOMIC_ACQUIRE) & site_lock) != 0) {
    }
  }
  ~GranuleLock() {
    if (kind_ == Kind::page) leave_page(monitor_);
    // Only the holder of the lock changes anything else here.
    if (kind_ == Kind::bit) __atomic_store_n(&site_, __atomic_load_n(&site_, __ATOMIC_RELAXED) & ~site_lock, __ATOMIC_RELEASE);
  }
  GranuleLock(const GranuleLock&) = delete;
  GranuleLock& operator=(const GranuleLock&) = delete;

 private:
  enum class Kind { none, page, bit };
  Monitor& monitor_;
  std::uint32_t& site_;
  Kind kind_;
};

// Whether nothing that a word remembers can race with the running thread's accesses any more.
HIRACE_HOOK bool covers_all(const Layout& layout, Word difference, bool shared) { return (difference & layout.covered[shared]) != 0; }

// Where an access enters a granule: the byte of the window, and its distance from the start of the access.
struct Entry {
  std::size_t byte, offset;
};

// Lanes of a warp exchange values through volatile variables of shared memory without a barrier. That is no
// data race, but what they read depends on the schedule unless they run in lockstep. All lanes that look at one
// flag access one place; lanes that exchange values access several.
HIRACE_COLD inline void note_lockstep(const Monitor& m, Granule granule, Word old, const Witness& witness) {
  struct Seen {
    SiteId site = unknown_site;
    std::uint32_t kernel = 0;
    Granule granule = 0;
    bool reported = false;
  };
  constexpr std::size_t remembered = 16;
  static thread_local Seen last[remembered];
  Seen& seen = last[witness.site % remembered];
  const bool known = seen.site == witness.site && seen.kernel == current_launch.kernel;
  if (known && (seen.reported || seen.granule == granule)) return;
  const Witnesses witnesses(m, granule);
  Witness other;
  if (!witnesses.find_lane(current_launch.layout, recorded_access(old, witnesses.site()), witness, other)) return;
  if (known) report_fault(Fault::lanes_in_lockstep, witness.site, 0, other.site);
  seen = {witness.site, current_launch.kernel, granule, known};
}

// Steps one granule, or one byte of a split one, and records its race. Returns whether there is one.
inline bool step_granule(Monitor& m, Granule granule, Entry entry, const AccessInfo& access, bool shared, ReportedRaces& reported) {
  const Layout& layout = current_launch.layout;
  const Word old = m.words[granule];
  const bool unused = stale(old, shared), fresh = covers_all(layout, old ^ m.me, shared);
  Step next = step(layout, old, fresh, m.me, access.kind);
  if (next.forgets) recorder().limit(current_launch.kernel, volatile_reads_forgotten);
  if (!next.record) return false;
  const Witness witness{m.me, access.site, access.kind, access.size, saturated(entry.offset)};
  const bool is_volatile = access.kind == AccessKind::volatile_read || access.kind == AccessKind::volatile_write;
  if (is_volatile && shared && !fresh) note_lockstep(m, granule, old, witness);
  Witnesses witnesses(m, granule);
  const bool race = next.state == static_cast<unsigned>(State::race);
  if (race) {
    Witness prior;
    const bool known = witnesses.find_racing(layout, recorded_access(old, witnesses.site()), witness, prior);
    if (reported.is_first(known ? prior.site : unknown_site)) {
      if (known && prior.size == 0) AccessExtent(m, shared).find(entry.byte, prior);
      record_race(access, entry.offset, shared, old, known ? &prior : nullptr);
    }
    // The machine would stay in RACE. Restarting with this access finds the location's other races
    // too; each of them is a race in its own right.
    next = {first_state(folded(access.kind)), access.kind == AccessKind::volatile_read, true};
  }
  if (unused) touch(m, granule);
  const Word word = word_of(next.state, m.me, shared) | (next.strong ? strong_flag : 0);
  if (word == old) return race;
  if (unused) {
    witnesses.restart(witness, next.state);
  } else if (race || fresh) {
    witnesses.restart_alone(witness, next.state);
  } else {
    witnesses.add(layout, recorded_access(old, witnesses.site()), witness, shared, next.state);
  }
  __atomic_store_n(&m.words[granule], word, __ATOMIC_RELAXED);
  return race;
}

// Gives each byte of the granule its own word, with the granule's witnesses. False if there is no
// room: the granule is then unchecked, and the run reports it.
inline bool split_granule(Monitor& m, Granule granule, bool shared) {
  ShadowMemory& memory = shadow_memory();
  std::uint32_t& attachment = m.attachments[granule];
  const Witnesses whole(m, granule);
  std::uint32_t node = attachment & ~byte_node_flag;
  if ((attachment & byte_node_flag) == 0 && !memory.take_byte_node(node)) {
    recorder().limit(current_launch.kernel, byte_pool_exhausted);
    return false;
  }
  const Word old = m.words[granule];
  const bool fresh = stale(old, shared);
  for (unsigned byte = 0; byte < granule_bytes; ++byte) {
    const Granule target = memory.byte_granules(node) + byte - m.first_granule;
    touch(m, target);
    m.words[target] = fresh ? 0 : old;
    if (!fresh) Witnesses(m, target).copy_from(whole, byte);
  }
  attachment = node | byte_node_flag;
  touch(m, granule);
  m.sites[granule] &= site_lock;
  __atomic_store_n(&m.words[granule], word_of(split_state, m.me, shared), __ATOMIC_RELAXED);
  return true;
}

// Notes an access for other launches and for the host, and records its race with an earlier one of theirs.
HIRACE_COLD inline void compare_with_launches(const Monitor& m, Granule granule, unsigned bytes, const AccessInfo& access,
                                              ReportedRaces& reported) {
  const LaunchAccess now(current_launch.watched, bytes, access.kind, access.site & site_mask, m.narrow);
  if (!current_launch.overlaps) {
    if (host_memory().contains(access.address)) launch_accesses().note_for_host(granule + m.first_granule, now);
    return;
  }
  const LaunchAccess racing = launch_accesses().add(granule + m.first_granule, now);
  if (racing.launch() != 0 && reported.is_first(racing.site(), true)) record_launch_race(access, racing);
}

// Notes a write that textures or surfaces may read, and records the read, through one of them, of what the launch
// has written. Whatever the engine finds of the same two accesses is then known.
HIRACE_COLD inline void follow_texels(const Monitor& m, Granule granule, unsigned bytes, const AccessInfo& access, bool writes,
                                      ReportedRaces& reported) {
  if (writes) {
    if (m.texels || texel_writes().is_linear(access.address)) texel_writes().note(granule + m.first_granule, bytes, access.kind, access.site);
    return;
  }
  if (!m.texels) return;
  const TexelWrites::Writer* const writer = texel_writes().find(granule + m.first_granule, bytes);
  if (writer != nullptr && reported.is_first(writer->site())) record_fetch_of_own(access, *writer);
}

// `bytes` has a bit for each byte of the granule that the access touches; the first of them is
// `offset` bytes from the start of the access.
inline void check_granule(Monitor& m, Granule granule, unsigned bytes, std::size_t offset, const AccessInfo& access, bool shared,
                          ReportedRaces& reported) {
  const GranuleLock lock(m, granule);
  const Word old = m.words[granule];
  if (note_poisoned(old, m.window + granule * granule_bytes, access.site, access.address, access.size, reported.fault)) return;
  if (current_launch.watched != 0 && !in_shared_memory(access.address)) compare_with_launches(m, granule, bytes, access, reported);
  if (current_launch.follows_texels) follow_texels(m, granule, bytes, access, !is_read(access.kind), reported);
  bool split = state_of(old) == split_state && !stale(old, shared);
  constexpr unsigned whole = (1u << granule_bytes) - 1;
  if (!split && bytes != whole) {
    if (!split_granule(m, granule, shared)) return;
    split = true;
  }
  const std::size_t begin = granule * granule_bytes;
  if (!split) {
    step_granule(m, granule, {begin, offset}, access, shared, reported);
    return;
  }
  const std::uint32_t node = m.attachments[granule] & ~byte_node_flag;
  const Granule first = shadow_memory().byte_granules(node) - m.first_granule;
  for (unsigned byte = 0; byte < granule_bytes; ++byte) {
    if ((bytes >> byte & 1) == 0) continue;
    step_granule(m, first + byte, {begin + byte, offset++}, access, shared, reported);
  }
}

HIRACE_COLD HIRACE_RUNTIME void check_written(Monitor& m, std::size_t offset, std::size_t size, SiteId site) {
  const Granule first = offset / granule_bytes, end = (offset + size - 1) / granule_bytes + 1;
  for (Granule index = first; index < end; ++index) {
    if (!looks_fresh(m, index) || fresh_memory().is_copied(index + m.first_granule)) return;
  }
  const std::uintptr_t address = m.window + offset;
  // Reporting once is enough.
  fresh_memory().note_copied(reinterpret_cast<const void*>(address), size);
  report_unwritten_read(site, address, size);
}

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

// Whether other launches or the host are all that follows the running thread's accesses besides the word.
inline bool only_others_follow(Word me) {
  return (me & slow_flags) == watched_flag && current_launch.watched != 0 && !current_launch.clustered && !current_launch.follows_texels;
}
inline bool only_host_overlaps(Word me) { return only_others_follow(me) && !current_launch.overlaps; }

// An access of the running launch to a whole granule.
inline LaunchAccess whole_access(const Monitor& m, AccessKind kind, SiteId site) {
  return {current_launch.watched, (1u << granule_bytes) - 1, kind, site & site_mask, m.narrow};
}

inline void note_for_host(const Monitor& m, Granule index, AccessKind kind, SiteId site) {
  if (index < m.shared_granules || !host_memory().contains(m.window + index * granule_bytes)) return;
  launch_accesses().note_for_host(index + m.first_granule, whole_access(m, kind, site));
}

// The same as check_first() in a launch that the order engine follows and that only the host may overlap
// with, for a plain access to whole granules. False if the engine has to see the access.
inline bool is_first_in_order(Monitor& m, std::size_t offset, std::size_t size, Granule first, AccessKind kind, SiteId site) {
  const Granule end = first + size / granule_bytes;
  if (!is_plain(kind) || !only_host_overlaps(m.me) || offset % granule_bytes != 0 || size % granule_bytes != 0 || end > m.window_granules) return false;
  for (Granule index = first; index < end; ++index) {
    const Word old = m.words[index];
    const bool fresh_read = m.reads_value && old == 0 && index >= m.shared_granules && looks_fresh(m, index);
    const bool is_stray = m.words[index] != old;
    if (!stale(old, index < m.shared_granules) || state_of(old) == poison_state || fresh_read || is_stray) return false;
  }
  for (Granule index = first; index < end; ++index) {
    if (kind != AccessKind::read) note_written(m, m.window + index * granule_bytes);
    touch(m, index);
    m.words[index] = (Word{first_state(folded(kind))} << state_shift) | (m.me & ~slow_flags);
    m.sites[index] = index == first ? site : site | site_continued;
    note_for_host(m, index, kind, site);
  }
  return true;
}

// In ordered_check.h.
bool reads_like_last(Monitor& m, Granule granule, bool shared, SiteId site);
void check_in_order(std::uintptr_t address, std::size_t size, AccessKind kind, const Strength& how, SiteId site, std::size_t align,
                    bool reads);

HIRACE_RUNTIME void check_slow(std::size_t offset, std::size_t size, Granule first, AccessKind kind, SiteId site, std::uintptr_t address) {
  Monitor& m = monitor;
  if (launch_is_ordered()) {
    const bool is_whole_read = kind == AccessKind::read && size == granule_bytes && offset % granule_bytes == 0;
    if (is_whole_read && !current_launch.clustered && reads_like_last(m, first, first < m.shared_granules, site)) return;
    if (is_first_in_order(m, offset, size, first, kind, site)) return;
    return check_in_order(address, size, kind, strength_of(kind), site, 1, m.reads_value);
  }
  if ((m.me & unchecked_flag) != 0) return;
  m.site = site;
  if (current_launch.clustered && in_shared_memory(address) && !enter_shared_of_other(address, kind, site)) return;
  const AccessInfo access{kind, site, address, saturated(size)};
  const bool shared = first < m.shared_granules;
  if (kind != AccessKind::read && kind != AccessKind::volatile_read && first < m.window_granules) note_written(m, address);
  const Word old = m.words[first];
  ReportedRaces reported;
  std::size_t done = 0;
  for (Granule granule = first; done < size; ++granule) {
    const unsigned begin = done == 0 ? offset % granule_bytes : 0;
    const std::size_t count = size - done < granule_bytes - begin ? size - done : granule_bytes - begin;
    const unsigned bytes = ((1u << count) - 1) << begin;
    check_granule(m, granule, bytes, done, access, shared, reported);
    done += count;
  }
  const bool global = !in_shared_memory(address) && first < m.window_granules;
  if (global && m.reads_value && old == 0 && looks_fresh(m, first)) check_written(m, offset, size, site);
}

// Ends the running thread; the others go on without it.
[[noreturn]] void abandon_thread();

// The address is not a multiple of the type's alignment. The compiled access needs not be possible here.
[[noreturn]] HIRACE_COLD inline void fail_misaligned(std::uintptr_t address, std::size_t size, SiteId site) {
  report_access_fault(Fault::misaligned, site, address, saturated(size), nullptr);
  abandon_thread();
}

// Whether no other thread uses this memory, or none writes it: the running thread's stack, and
// constants of the program.
inline bool is_private(std::uintptr_t address, AccessKind kind) {
  constexpr std::uintptr_t reach = std::uintptr_t{8} << 20;  // the depth of stacks
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (address - (frame - reach) < 2 * reach || is_on_stack(address)) return true;
  if (kind != AccessKind::read) return false;
  const auto image = reinterpret_cast<std::uintptr_t>(__ehdr_start);
  return address - image < reinterpret_cast<std::uintptr_t>(_end) - image;
}

// Whether an address is on the running thread's stack, near its end: objects that callers pass by reference. What lies
// above a stack are guard pages or data of the executor.
HIRACE_HOOK bool is_near_frame(std::uintptr_t address) {
  constexpr std::uintptr_t reach = 4096;
  return address - reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) < reach;
}

// Reports an access of host code at `code`; null unless host code reports its accesses (host/host_reports.h).
inline void (*report_by_hook)(std::uintptr_t address, std::size_t bytes, AccessKind kind, const void* code) = nullptr;

HIRACE_COLD HIRACE_RUNTIME void check_outside(std::uintptr_t address, std::size_t size, AccessKind kind, SiteId site, std::size_t align,
                                              bool reads) {
  if (!monitor.in_kernel) {
    if (call_is_watched) return note_access_of_call(reinterpret_cast<const volatile void*>(address), size, kind, site);
    // The hook is part of the function that host code called. Atomic operations report themselves.
    const bool is_atomic = kind == AccessKind::block_atomic || kind == AccessKind::device_atomic;
    if (report_by_hook != nullptr && site != unknown_site && !is_atomic) report_by_hook(address, size, kind, __builtin_return_address(0));
    return;
  }
  if (is_near_frame(address)) {
    --monitor.granted;
    return;
  }
  if (launch_is_ordered()) return check_in_order(address, size, kind, strength_of(kind), site, align, reads);
  monitor.site = site;
  // The access used up budget but is not counted.
  --monitor.granted;
  if (!monitor.section) return;
  if (const Granule granule = shadow_memory().granule_outside(address); granule != ShadowMemory::no_granule) {
    ++monitor.granted;
    if (note_gap(monitor, granule - monitor.first_granule, address, size, site)) return;
    if (address % align != 0) fail_misaligned(address, size, site);
    check_slow(address % granule_bytes, size, granule - monitor.first_granule, kind, site, address);
  } else if (!arena().contains(address) && !is_private(address, kind)) {
    ++monitor.outside;
  }
}

}  // namespace hirace::cpu
