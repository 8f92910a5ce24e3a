// What the check of an access does beyond the common cases: races, bytes, poison, volatile
// reads, memory outside the arena.
//
// The paper updates a word by compare-and-swap. Here a word that does not change
// costs one load, and one that does is changed under a lock bit in the site word
// beside it: both words have to change together so that a report names the right
// place, and one atomic operation takes the lock where a compare-and-swap would
// have cost the same. Shared memory, launches on one OS thread and pages of shadow that one
// OS thread has for itself (shadow_ownership.h) need neither.
#pragma once

#include "../site_table.h"
#include "fresh_memory.h"
#include "monitor.h"
#include "scheduler_interface.h"

namespace hirace::cpu {

struct AccessInfo {
  AccessKind kind;
  SiteId site;
  std::uintptr_t address;
  std::uint8_t size;
};

// Keeps what is known of a granule from other OS threads: nothing is needed where none checks
// it, a page of the calling one's own is entered, and of a shared page the lock bit is taken.
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
    // Only who holds the lock changes anything else here.
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

// A word that does not speak of this launch; in shared memory, which block slots
// take over from one another, nor one that speaks of another block.
HIRACE_HOOK bool stale(Word word, bool shared) {
  return ((word ^ monitor.me) & (epoch_field | (shared ? current_launch.layout.block_field : 0))) != 0;
}

// The word that `me` leaves with a state.
HIRACE_HOOK Word word_of(unsigned state, Word me, bool shared) {
  return (Word{state} << state_shift) | (me & current_launch.layout.keep[shared][state]);
}

// The access that a word describes; empty where the word forgot whose it was.
inline Witness recorded_access(Word word, SiteId site) {
  const Layout& layout = current_launch.layout;
  const unsigned state = state_of(word);
  if (layout.keep[0][state] != layout.keep[0][static_cast<unsigned>(State::write)]) return {};
  // Of the states before the first one with atomics, all but one end in a read.
  const AccessKind kind = state >= static_cast<unsigned>(State::batom_b)   ? AccessKind::device_atomic
                          : state == static_cast<unsigned>(State::write) ? AccessKind::write
                                                                         : AccessKind::read;
  return {word & ~state_field & ~strong_flag, site, kind, 0};
}

// What the source says at the site of an access of which only the state is known.
inline AccessKind kind_at_site(AccessKind kind, SiteId site) {
  const Site* found = SiteTable::instance().find(site);
  if (found == nullptr) return kind;
  if (kind == AccessKind::write && found->kind == SiteKind::update) return AccessKind::update;
  if (kind != AccessKind::device_atomic || found->kind == SiteKind::atomic) return kind;
  return found->kind == SiteKind::read ? AccessKind::volatile_read : AccessKind::volatile_write;
}

inline RaceScope scope_between(Word a, Word b) {
  const Word difference = a ^ b;
  const Layout& layout = current_launch.layout;
  if ((difference & layout.block_field) != 0) return RaceScope::grid;
  return (difference & layout.warp_field) != 0 ? RaceScope::block : RaceScope::warp;
}

// What might have ordered two accesses: a fence in a flag or lock protocol, which
// can only order what came before it with what comes after, or a barrier of some
// lanes, which can only order lanes. What has not been executed yet by the block,
// or for two blocks by any, is none of it.
inline std::uint32_t might_order(RaceScope scope) {
  switch (scope) {
    case RaceScope::warp: return *monitor.not_modelled;
    case RaceScope::block: return *monitor.not_modelled & ~std::uint32_t{partial_warp_barrier};
    case RaceScope::grid:
      return __atomic_load_n(&current_launch.not_modelled, __ATOMIC_RELAXED) & ~std::uint32_t{partial_warp_barrier};
  }
  return 0;
}

HIRACE_COLD inline void record_race(const AccessInfo& access, bool shared, Word word, const Witness* prior) {
  Record record{};
  record.type = RecordType::race;
  record.space = shared ? Space::shared : Space::global;
  record.relation = prior != nullptr ? scope_between(prior->who, monitor.me)
                    : (current_launch.layout.keep[shared][state_of(word)] & current_launch.layout.block_field) == 0
                        ? RaceScope::grid  // only accesses by several blocks let a word forget its block
                        : scope_between(word, monitor.me);
  record.not_modelled = might_order(record.relation);
  record.kernel = current_launch.kernel;
  record.site_current = access.site;
  record.current_access = access.kind;
  record.current_size = access.size;
  record.current_block = current_block();
  record.current_thread = current_thread();
  set_launch(record);
  record.transition = static_cast<std::uint16_t>(transition_index(current_launch.layout, word, monitor.me, folded(access.kind)));
  record.address = access.address;
  if (prior != nullptr) {
    record.prior_known = PriorKnown::site_and_thread;
    record.site_prior = prior->site;
    record.prior_access = kind_at_site(prior->kind, prior->site);
    record.prior_size = prior->size;
    record.prior_block = block_of(prior->who);
    record.prior_thread = thread_of(prior->who);
  }
  recorder().add(record);
  if (record.not_modelled == 0) halt_if_asked();
}

// Whether the running thread has passed a block barrier since the last change of a word of
// shared memory: all threads that can reach the variable took part in it, so that whatever
// the word remembers is covered.
HIRACE_HOOK bool covers_all(const Layout& layout, Word difference, bool shared) {
  return shared && (difference & layout.block_clock_field) != 0;
}

// Steps one granule, or one byte of a split one. Returns whether it races.
inline bool step_granule(Monitor& m, Granule granule, const AccessInfo& access, bool shared, bool report) {
  const Layout& layout = current_launch.layout;
  const Word old = m.words[granule];
  const bool fresh = stale(old, shared);
  Step next = step(layout, old, fresh, m.me, access.kind);
  if (!next.record) return false;
  const Witness witness{m.me, access.site, access.kind, access.size};
  History history(m, granule);
  const bool race = next.state == static_cast<unsigned>(State::race);
  if (race) {
    Witness prior;
    const bool known = history.find_racing(layout, recorded_access(old, history.site()), witness, prior);
    if (report) record_race(access, shared, old, known ? &prior : nullptr);
    // The machine would stay in RACE. Starting over with this access finds the
    // location's other races too; each of them is a race in its own right.
    next = {first_state(folded(access.kind)), access.kind == AccessKind::volatile_read, true};
  }
  const Word word = word_of(next.state, m.me, shared) | (next.strong ? strong_flag : 0);
  if (word == old) return race;
  if (fresh || race) {
    history.restart(witness);
  } else if (covers_all(layout, old ^ m.me, shared)) {
    history.restart_alone(witness);
  } else {
    history.add(layout, recorded_access(old, history.site()), witness, shared);
  }
  __atomic_store_n(&m.words[granule], word, __ATOMIC_RELAXED);
  return race;
}

// Gives each byte of the granule a word of its own, with what the granule knows.
// False where there is no room: the granule then goes unchecked, and the run says so.
inline bool split_granule(Monitor& m, Granule granule, bool shared) {
  ShadowMemory& memory = shadow_memory();
  std::uint32_t& attachment = m.attachments[granule];
  const History whole(m, granule);
  std::uint32_t node = attachment & ~byte_node_flag;
  if ((attachment & byte_node_flag) == 0 && !memory.take_byte_node(node)) {
    recorder().limit(current_launch.kernel, byte_pool_exhausted);
    return false;
  }
  const Word old = m.words[granule];
  const bool fresh = stale(old, shared);
  for (unsigned byte = 0; byte < granule_bytes; ++byte) {
    const Granule target = memory.byte_granules(node) + byte - m.first_granule;
    m.words[target] = fresh ? 0 : old;
    if (!fresh) History(m, target).copy_from(whole);
  }
  attachment = node | byte_node_flag;
  m.sites[granule] &= site_lock;
  __atomic_store_n(&m.words[granule], word_of(split_state, m.me, shared), __ATOMIC_RELAXED);
  return true;
}

// `bytes` has a bit for each byte of the granule that the access touches.
inline bool check_granule(Monitor& m, Granule granule, unsigned bytes, const AccessInfo& access, bool shared, bool report) {
  const GranuleLock lock(m, granule);
  const Word old = m.words[granule];
  if (state_of(old) == poison_state) {
    // The process ends here, so the lock is of no further interest.
    fail(old == poison_word(Poison::freed) ? Fault::use_after_free : Fault::out_of_bounds, access.site, access.address);
  }
  bool split = state_of(old) == split_state && !stale(old, shared);
  constexpr unsigned whole = (1u << granule_bytes) - 1;
  if (!split && bytes != whole) {
    if (!split_granule(m, granule, shared)) return false;
    split = true;
  }
  if (!split) return step_granule(m, granule, access, shared, report);
  bool race = false;
  const std::uint32_t node = m.attachments[granule] & ~byte_node_flag;
  const Granule first = shadow_memory().byte_granules(node) - m.first_granule;
  for (unsigned byte = 0; byte < granule_bytes; ++byte) {
    if ((bytes >> byte & 1) != 0) race |= step_granule(m, first + byte, access, shared, report && !race);
  }
  return race;
}

// Whether the launch cannot write what lies at an address, of device memory or any other.
HIRACE_HOOK bool is_read_only(const Monitor& m, std::uintptr_t address) {
  return m.generation != no_generation && m.generations[address / read_only_unit] == m.generation;
}

// Before the first change of a granule's word in this launch by an access that is no read.
HIRACE_HOOK void note_written(const Monitor& m, std::uintptr_t address) {
  if (__builtin_expect(is_read_only(m, address), 0)) recorder().limit(current_launch.kernel, read_only_written);
}

// Whether a granule of the window still holds what the heap filled it with.
HIRACE_HOOK bool looks_fresh(const Monitor& m, Granule index) {
  return reinterpret_cast<const std::uint32_t*>(m.window)[index] == fresh_pattern(index + m.first_granule);
}

// A read that may have found nothing but fresh memory (fresh_memory.h): the first access to
// its granule. All granules that it touches must be fresh: the rest may be padding.
HIRACE_COLD inline void check_written(Monitor& m, std::size_t offset, std::size_t size, SiteId site) {
  const Granule first = offset / granule_bytes, end = (offset + size - 1) / granule_bytes + 1;
  for (Granule index = first; index < end; ++index) {
    if (!looks_fresh(m, index) || fresh_memory().is_copied(index + m.first_granule)) return;
  }
  const std::uintptr_t address = m.window + offset;
  // Once is enough.
  fresh_memory().note_copied(reinterpret_cast<const void*>(address), size);
  report_fault(Fault::uninitialised_read, site, address);
}

// Everything that the fast path leaves: changed words, bytes, poison, volatile.
// One access reports one race at most, however many granules it touches.
__attribute__((noinline)) inline void check_slow(std::size_t offset, std::size_t size, Granule first, AccessKind kind, SiteId site,
                                                 std::uintptr_t address) {
  Monitor& m = monitor;
  if ((m.me & unchecked_flag) != 0) return;
  m.site = site;
  const AccessInfo access{kind, site, address, static_cast<std::uint8_t>(size < 255 ? size : 255)};
  const bool shared = first < m.shared_granules;
  if (kind != AccessKind::read && kind != AccessKind::volatile_read && first < m.window_granules) note_written(m, address);
  const Word old = m.words[first];
  bool race = false;
  std::size_t done = 0;
  for (Granule granule = first; done < size; ++granule) {
    const unsigned begin = done == 0 ? offset % granule_bytes : 0;
    const std::size_t count = size - done < granule_bytes - begin ? size - done : granule_bytes - begin;
    const unsigned bytes = ((1u << count) - 1) << begin;
    race |= check_granule(m, granule, bytes, access, shared, !race);
    done += count;
  }
  const bool global = !shared && first < m.window_granules;
  if (global && m.reads_value && old == 0 && looks_fresh(m, first)) check_written(m, offset, size, site);
}

// The address is no multiple of what the type needs.
[[noreturn]] HIRACE_COLD inline void fail_misaligned(std::uintptr_t address, SiteId site) { fail(Fault::misaligned, site, address); }

// Whether no other thread means it, or none writes it: what lies on the running thread's
// stack, and constants of the program.
inline bool is_private(std::uintptr_t address, AccessKind kind) {
  constexpr std::uintptr_t reach = std::uintptr_t{8} << 20;  // as far as stacks are deep
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  if (address - (frame - reach) < 2 * reach) return true;
  if (kind != AccessKind::read) return false;
  const auto image = reinterpret_cast<std::uintptr_t>(__executable_start);
  return address - image < reinterpret_cast<std::uintptr_t>(_end) - image;
}

// Memory that is not in the arena: __device__ variables have shadow of their
// own; locals and host memory have none.
HIRACE_COLD inline void check_outside(std::uintptr_t address, std::size_t size, AccessKind kind, SiteId site, std::size_t align) {
  if (!monitor.in_kernel) return;
  monitor.site = site;
  // It has used up budget, and is not counted.
  --monitor.granted;
  if (monitor.section && shadow_memory().in_section(address)) {
    ++monitor.granted;
    if (address % align != 0) fail_misaligned(address, site);
    check_slow(address % granule_bytes, size, shadow_memory().section_granule(address) - monitor.first_granule, kind, site, address);
  } else if (monitor.section && !arena().contains(address) && !is_private(address, kind)) {
    ++monitor.outside;
  }
}

}  // namespace hirace::cpu
