// Accesses to a granule by launches that may overlap with others.
//
// A shadow word describes one launch. If the program has several streams, so that a GPU could
// overlap launches (stream_order.h), each granule of global memory also has a list of its last few
// accesses: launch, bytes, kind and site. A new access replaces an earlier, ordered one if it
// conflicts with everything that the earlier one conflicts with. The list has four entries; a
// further access displaces a read, so a race may be missed, but none is invented.
#pragma once

#include "../../records/record.h"
#include "stream_order.h"
#include "shadow_memory.h"

namespace hirace::cpu {

class LaunchAccess {
 public:
  LaunchAccess() = default;
  LaunchAccess(std::uint32_t launch, unsigned bytes, AccessKind kind, SiteId site)
      : launch_and_bytes_(launch << granule_bytes | bytes), kind_and_site_(static_cast<std::uint32_t>(kind) << site_bits | site) {}

  // 0 for none.
  std::uint32_t launch() const { return launch_and_bytes_ >> granule_bytes; }
  unsigned bytes() const { return launch_and_bytes_ & ((1u << granule_bytes) - 1); }
  AccessKind kind() const { return static_cast<AccessKind>(kind_and_site_ >> site_bits); }
  SiteId site() const { return kind_and_site_ & site_mask; }

  // Removes some bytes; without any left, the entry is free.
  void forget(unsigned bytes) {
    launch_and_bytes_ &= ~bytes;
    if (this->bytes() == 0) *this = {};
  }

 private:
  std::uint32_t launch_and_bytes_ = 0, kind_and_site_ = 0;
};
static_assert(StreamOrder::number_bits + granule_bytes == 32 && site_bits + 3 == 32, "the fields fill the words");

// Whether accesses by two launches conflict. For other launches, a block-scope atomic is not atomic.
constexpr bool conflict_between_launches(AccessKind a, AccessKind b) {
  const auto reads = [](AccessKind kind) { return kind == AccessKind::read || kind == AccessKind::volatile_read; };
  const auto strong = [](AccessKind kind) {
    return kind == AccessKind::device_atomic || kind == AccessKind::volatile_read || kind == AccessKind::volatile_write;
  };
  return !(reads(a) && reads(b)) && !(strong(a) && strong(b));
}

class LaunchAccesses {
 public:
  // Called before the first access of a launch that may overlap with others.
  void begin() {
    if (lists_ == nullptr) lists_ = ShadowMemory::reserve<List>(shadow_memory().granules());
  }

  // Stores an access by the running launch to some bytes of a granule. Returns the latest access of
  // another launch that it races with, or none.
  LaunchAccess add(Granule granule, const LaunchAccess& access) {
    LaunchAccess racing;
    const bool replaces = access.kind() == AccessKind::write || access.kind() == AccessKind::update;
    unsigned known = 0;
    LaunchAccess* free = nullptr;
    for (LaunchAccess& each : lists_[granule].accesses) {
      const unsigned common = each.bytes() & access.bytes();
      if (each.launch() == access.launch() && each.kind() == access.kind()) known |= common;
      if (each.launch() != access.launch() && common != 0) {
        const bool before = stream_order().is_before(each.launch());
        const bool races = !before && conflict_between_launches(each.kind(), access.kind());
        if (races) racing = each;
        // A race is reported once.
        if ((before || races) && (replaces || each.kind() == access.kind())) each.forget(common);
      }
      if (each.launch() == 0 && free == nullptr) free = &each;
    }
    const unsigned fresh = access.bytes() & ~known;
    if (fresh == 0) return racing;
    if (free == nullptr) free = &least_needed(lists_[granule]);
    *free = LaunchAccess(access.launch(), fresh, access.kind(), access.site());
    return racing;
  }

  // Calls `visit` with the accesses to some bytes of a granule. Kernels may be adding others meanwhile.
  template <class Visit>
  void visit(Granule granule, unsigned bytes, Visit visit) const {
    if (lists_ == nullptr) return;
    for (const LaunchAccess& each : lists_[granule].accesses) {
      const LaunchAccess access = each;
      if (access.launch() != 0 && (access.bytes() & bytes) != 0) visit(access);
    }
  }

  // The memory is being allocated again.
  void forget(std::uintptr_t address, std::size_t bytes) {
    if (lists_ == nullptr || bytes == 0) return;
    const Granule first = (address - arena().base()) / granule_bytes;
    const Granule end = (address + bytes - 1 - arena().base()) / granule_bytes + 1;
    // Whole pages are released: few pages of a large allocation have been touched.
    const Granule first_page = round_up(first, lists_in_page), end_page = end / lists_in_page * lists_in_page;
    if (first_page >= end_page) {
      std::fill(lists_ + first, lists_ + end, List{});
      return;
    }
    std::fill(lists_ + first, lists_ + first_page, List{});
    madvise(lists_ + first_page, (end_page - first_page) * sizeof(List), MADV_DONTNEED);
    std::fill(lists_ + end_page, lists_ + end, List{});
  }

 private:
  static constexpr unsigned capacity = 4;
  struct List {
    LaunchAccess accesses[capacity];
  };
  static_assert(sizeof(List) == 32, "half a cache line");
  static constexpr std::size_t lists_in_page = page_bytes / sizeof(List);

  // The entry of a full list to replace: a read, if there is one.
  static LaunchAccess& least_needed(List& list) {
    const auto is_read = [](const LaunchAccess& each) { return each.kind() == AccessKind::read; };
    LaunchAccess* const end = list.accesses + capacity;
    LaunchAccess* const read = std::find_if(list.accesses, end, is_read);
    return read != end ? *read : list.accesses[0];
  }

  List* lists_ = nullptr;  // by granule; null until a launch may overlap with another
};

inline LaunchAccesses& launch_accesses() {
  static LaunchAccesses* const accesses = new LaunchAccesses;
  return *accesses;
}

}  // namespace hirace::cpu
