// Accesses to a granule by launches that may overlap with others.
//
// A shadow word describes one launch. If the program has several streams, so that a GPU could
// overlap launches (stream_order.h), each granule of global memory also has a list of its last few
// accesses: launch, bytes, kind and site. A new access replaces an earlier, ordered one if it
// conflicts with everything that the earlier one conflicts with. The list has four entries; a
// further access displaces a read, so a race may be missed, but none is invented.
//
// If only the host may overlap with launches (host_check.h), two entries for each granule of memory
// of the host are enough: the last launch that read it and the last one that wrote it come after all
// others. An access that is made of them costs less than one of the list.
#pragma once

#include <utility>

#include "../../checker/transition.h"
#include "../../records/record.h"
#include "checked_launch.h"
#include "shadow_memory.h"
#include "stream_allocations.h"
#include "stream_order.h"

namespace hirace::cpu {

class LaunchAccess {
 public:
  LaunchAccess() = default;
  // `narrow`: a strong access whose scope excludes the host.
  LaunchAccess(std::uint32_t launch, unsigned bytes, AccessKind kind, SiteId site, bool narrow = false)
      : launch_and_bytes_(launch << (granule_bytes + 1) | (narrow ? narrow_flag : 0) | bytes),
        kind_and_site_(static_cast<std::uint32_t>(kind) << site_bits | site) {}

  // 0 for none.
  std::uint32_t launch() const { return launch_and_bytes_ >> (granule_bytes + 1); }
  bool narrow() const { return (launch_and_bytes_ & narrow_flag) != 0; }
  unsigned bytes() const { return launch_and_bytes_ & ((1u << granule_bytes) - 1); }
  AccessKind kind() const { return static_cast<AccessKind>(kind_and_site_ >> site_bits); }
  SiteId site() const { return kind_and_site_ & site_mask; }

  // Removes some bytes; without any left, the entry is free.
  void forget(unsigned bytes) {
    launch_and_bytes_ &= ~bytes;
    if (this->bytes() == 0) *this = {};
  }

 private:
  static constexpr std::uint32_t narrow_flag = 1u << granule_bytes;

  std::uint32_t launch_and_bytes_ = 0, kind_and_site_ = 0;
};
static_assert(StreamOrder::number_bits + 1 + granule_bytes == 32 && site_bits + 3 == 32, "the fields fill the words");

// Whether accesses by two launches conflict. For other launches, a block-scope atomic is not atomic.
constexpr bool conflict_between_launches(AccessKind a, AccessKind b) {
  const auto reads = [](AccessKind kind) { return kind == AccessKind::read || kind == AccessKind::volatile_read; };
  const auto strong = [](AccessKind kind) {
    return kind == AccessKind::device_atomic || kind == AccessKind::volatile_read || kind == AccessKind::volatile_write;
  };
  return !(reads(a) && reads(b)) && !(strong(a) && strong(b));
}

// Whether a launch is ordered before the next access of the running one.
inline bool comes_before_running(std::uint32_t launch) {
  if (!current_launch.begins_early) return stream_order().is_before(launch);
  return stream_order().is_before_all_of_it(launch) || (stream_order().is_before(launch) && follows_dependency_wait());
}

class LaunchAccesses {
 public:
  // Called before the first access of a launch that may overlap with others. False if there is no address
  // space.
  bool begin() {
    if (lists_ != nullptr) return true;
    const std::size_t granules = shadow_memory().memory_granules(), parts = granules / granules_in_part + 1;
    touched_ = ShadowMemory::try_to_reserve<bool>(parts, parts);
    if (touched_ != nullptr) lists_ = ShadowMemory::try_to_reserve<List>(granules, ShadowMemory::dense_from());
    return lists_ != nullptr;
  }

  // The same before the first access of a launch that only the host may overlap with.
  bool begin_for_host() {
    if (latest_ == nullptr) latest_ = ShadowMemory::try_to_reserve<Latest>(shadow_memory().memory_granules(), ShadowMemory::dense_from());
    return latest_ != nullptr;
  }

  // Stores an access by such a launch.
  void note_for_host(Granule granule, const LaunchAccess& access) {
    const bool reads = access.kind() == AccessKind::read || access.kind() == AccessKind::volatile_read;
    LaunchAccess& slot = reads ? latest_[granule].read : latest_[granule].write;
    if (slot.launch() != access.launch()) {
      slot = access;
      return;
    }
    // A plain access conflicts with all that an atomic or volatile one conflicts with, and so does a narrow one.
    const bool plain = is_plain(slot.kind());
    const LaunchAccess& kept = plain || (slot.narrow() && !is_plain(access.kind())) ? slot : access;
    slot = LaunchAccess(kept.launch(), slot.bytes() | access.bytes(), kept.kind(), kept.site(), kept.narrow());
  }

  // Stores an access by the running launch to some bytes of a granule. Returns the latest access of
  // another launch that it races with, or none.
  LaunchAccess add(Granule granule, const LaunchAccess& access) {
    LaunchAccess racing;
    const bool replaces = access.kind() == AccessKind::write || access.kind() == AccessKind::update;
    unsigned known = 0;
    bool follows = false;  // accesses that are ordered before this one
    LaunchAccess* free = nullptr;
    for (LaunchAccess& each : lists_[granule].accesses) {
      const unsigned common = each.bytes() & access.bytes();
      if (each.launch() == access.launch() && each.kind() == access.kind() && each.narrow() == access.narrow()) known |= common;
      if (each.launch() != access.launch() && common != 0) {
        const bool before = comes_before_running(each.launch());
        const bool races = !before && conflict_between_launches(each.kind(), access.kind());
        follows = follows || before;
        if (races) racing = each;
        // A race is reported once.
        if ((before || races) && (replaces || each.kind() == access.kind())) each.forget(common);
      }
      if (each.launch() == 0 && free == nullptr) free = &each;
    }
    const unsigned fresh = access.bytes() & ~known;
    if (fresh == 0) return racing;
    // What raced with the allocation before has been reported.
    if (racing.launch() == 0 && !follows) racing = racing_allocation(granule, access.bytes());
    if (free == nullptr) free = &least_needed(lists_[granule]);
    touched_[granule / granules_in_part] = true;
    *free = LaunchAccess(access.launch(), fresh, access.kind(), access.site(), access.narrow());
    return racing;
  }

  // The same, unless the access races.
  bool add_if_ordered(Granule granule, const LaunchAccess& access) {
    bool follows = false;
    for (const LaunchAccess& each : lists_[granule].accesses) {
      if (each.launch() == access.launch() || (each.bytes() & access.bytes()) == 0) continue;
      const bool before = comes_before_running(each.launch());
      if (!before && conflict_between_launches(each.kind(), access.kind())) return false;
      follows = follows || before;
    }
    if (!follows && racing_allocation(granule, access.bytes()).launch() != 0) return false;
    add(granule, access);
    return true;
  }

  // Calls `visit` with the accesses to some bytes of a granule. Kernels may be adding others meanwhile.
  template <class Visit>
  void visit(Granule granule, unsigned bytes, Visit visit) const {
    const auto visit_one = [&](const LaunchAccess& each) {
      const LaunchAccess access = each;
      if (access.launch() != 0 && (access.bytes() & bytes) != 0) visit(access);
    };
    if (lists_ != nullptr) {
      for (const LaunchAccess& each : lists_[granule].accesses) visit_one(each);
    }
    if (latest_ != nullptr) {
      visit_one(latest_[granule].write);
      visit_one(latest_[granule].read);
    }
  }

  // Calls visit(begin, bytes) for the parts of a range that may have been accessed.
  template <class Visit>
  void each_touched(std::uintptr_t begin, std::size_t bytes, const Visit& visit) const {
    constexpr std::size_t part_bytes = granules_in_part * granule_bytes;
    const std::uintptr_t end = begin + bytes;
    for (std::uintptr_t at = begin; at < end;) {
      const std::size_t part = (at - arena().base()) / part_bytes;
      const std::uintptr_t next = std::min(end, arena().base() + (part + 1) * part_bytes);
      if (touched_[part]) visit(at, next - at);
      at = next;
    }
  }

  // Gives back all memory. Nothing is added from now on.
  void release() {
    const std::size_t granules = shadow_memory().memory_granules();
    if (lists_ != nullptr) madvise(lists_, granules * sizeof(List), MADV_DONTNEED);
    if (latest_ != nullptr) madvise(latest_, granules * sizeof(Latest), MADV_DONTNEED);
  }

  // The memory is being allocated again.
  void forget(std::uintptr_t address, std::size_t bytes) {
    if (bytes == 0) return;
    const Granule first = (address - arena().base()) / granule_bytes;
    forget_granules(first, (address + bytes - 1 - arena().base()) / granule_bytes + 1 - first);
  }
  void forget_granules(Granule first, std::size_t count) {
    if (lists_ != nullptr) forget_in(lists_, first, first + count);
    if (latest_ != nullptr) forget_in(latest_, first, first + count);
  }

 private:
  template <class Entry>
  static void forget_in(Entry* entries, Granule first, Granule end) {
    constexpr std::size_t in_page = page_bytes / sizeof(Entry);
    // Whole pages are released: few pages of a large allocation have been touched.
    const Granule first_page = round_up(first, in_page), end_page = end / in_page * in_page;
    if (first_page >= end_page) {
      std::fill(entries + first, entries + end, Entry{});
      return;
    }
    std::fill(entries + first, entries + first_page, Entry{});
    madvise(entries + first_page, (end_page - first_page) * sizeof(Entry), MADV_DONTNEED);
    std::fill(entries + end_page, entries + end, Entry{});
  }

  struct Latest {
    LaunchAccess read, write;
  };
  static constexpr unsigned capacity = 4;
  struct List {
    LaunchAccess accesses[capacity];
  };
  static_assert(sizeof(List) == 32, "half a cache line");

  // The allocation of the memory, if the running launch does not come after it.
  static LaunchAccess racing_allocation(Granule granule, unsigned bytes) {
    const StreamAllocation* const found = stream_allocations().find(arena().base() + granule * granule_bytes);
    if (found == nullptr || comes_before_running(found->launch)) return {};
    return {found->launch, bytes, AccessKind::write, found->site};
  }

  // The entry of a full list to replace: a read, if there is one.
  static LaunchAccess& least_needed(List& list) {
    const auto is_read = [](const LaunchAccess& each) { return each.kind() == AccessKind::read; };
    LaunchAccess* const end = list.accesses + capacity;
    LaunchAccess* const read = std::find_if(list.accesses, end, is_read);
    return read != end ? *read : list.accesses[0];
  }

  // Large enough that few bytes describe an allocation.
  static constexpr std::size_t granules_in_part = 1024;

  // By granule; null until a launch may overlap with another, and until one with the host only.
  List* lists_ = nullptr;
  Latest* latest_ = nullptr;
  bool* touched_ = nullptr;  // whether a part of memory has lists
};

inline LaunchAccesses& launch_accesses() {
  static LaunchAccesses* const accesses = new LaunchAccesses;
  return *accesses;
}

// No launch is checked any more, and none is running.
inline void release_shadow() {
  static bool released = false;
  if (std::exchange(released, true)) return;
  shadow_memory().release();
  launch_accesses().release();
}

}  // namespace hirace::cpu
