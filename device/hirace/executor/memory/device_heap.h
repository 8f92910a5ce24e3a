// The heap from which cudaMalloc allocates device memory.
//
// Best fit over one address range. After every allocation there is a red zone that the checker treats as
// poisoned, and freed memory is poisoned as well. Whole pages that belong to no allocation have no memory, so
// that large allocations are guarded even if a launch is not monitored.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "arena.h"
#include "host_guard.h"
#include "memory_watch.h"
#include "stray_pages.h"
#include "../check/fresh_memory.h"
#include "../host/host_memory.h"
#include "../check/launch_accesses.h"
#include "../check/shadow_memory.h"

namespace hirace::cpu {

// Who may access an allocation: the device, both sides, or both with the memory on the host.
enum class MemoryKind : std::uint8_t { device, managed, host };

struct Allocation {
  std::uintptr_t begin;
  std::size_t bytes;
  MemoryKind kind;
};

// What a report says of an allocation; empty if there is none.
struct NearAllocation {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  const void* caller = nullptr;
};

enum class AddressKind { unknown, allocated, red_zone, freed };

class DeviceHeap {
 public:
  DeviceHeap() {
    const std::uintptr_t begin = arena().base() + arena().shared_bytes() + arena().gap_bytes();
    insert_free(begin, arena().base() + arena().bytes() - begin);
  }

  // Null if there is no room. Aligned to at least 256 bytes, like cudaMalloc.
  // `caller`: the instruction that asks for it, if it is known.
  void* allocate(std::size_t bytes, MemoryKind kind, const void* caller = nullptr) {
    const std::lock_guard lock(mutex_);
    // No page mixes device memory with memory that the host may use, so access is set per page.
    const bool large = bytes >= large_bytes || kind != MemoryKind::device;
    const std::size_t align = large ? page_bytes : alignment;
    // Large allocations end in a page without memory, small ones in a red zone.
    const std::size_t reserved = large ? round_up(bytes, page_bytes) + page_bytes : round_up(bytes + red_zone_bytes, alignment);
    if (bytes > limit_ - used_) return nullptr;
    for (auto fit = free_by_size_.lower_bound({reserved, 0}); fit != free_by_size_.end(); ++fit) {
      const auto [extent_bytes, extent] = *fit;
      const std::uintptr_t begin = round_up(extent, align);
      if (begin + reserved > extent + extent_bytes) continue;
      const std::uintptr_t committed_end = round_up(begin + bytes, page_bytes);
      if (!Arena::commit(begin / page_bytes * page_bytes, committed_end)) return nullptr;
      erase_free(extent, extent_bytes);
      if (begin > extent) insert_free(extent, begin - extent);
      if (begin + reserved < extent + extent_bytes) insert_free(begin + reserved, extent + extent_bytes - begin - reserved);
      forget_freed(begin, begin + reserved);
      const bool filled = kind == MemoryKind::device && bytes <= max_filled_at_once && fresh_memory().fill(begin, bytes);
      live_[begin] = {bytes, reserved, kind, filled, 0, caller};
      used_ += counted(bytes);
      ++changes_;
      const auto address = reinterpret_cast<char*>(begin);
      unpoison(address, bytes);
      launch_accesses().forget(begin, bytes);
      poison(address + bytes, reserved - bytes, Poison::red_zone);
      if (begin + reserved < committed_end && is_free(begin + reserved)) {
        poison(address + reserved, end_of_free(begin + reserved, committed_end) - (begin + reserved), Poison::red_zone);
      }
      if (kind == MemoryKind::device) {
        host_guard().add(begin / page_bytes * page_bytes, committed_end);
      } else {
        host_memory().add(begin, committed_end);
      }
      return address;
    }
    return nullptr;
  }

  // False if `pointer` is not the start of an allocation.
  bool release(const void* pointer) {
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(reinterpret_cast<std::uintptr_t>(pointer));
    if (found == live_.end()) return false;
    const std::uintptr_t begin = found->first;
    const std::size_t bytes = found->second.bytes, reserved = found->second.reserved;
    const std::uintptr_t end = begin + reserved;
    if (found->second.filled) fresh_memory().forget(bytes);
    if (found->second.kind != MemoryKind::device) host_memory().remove(begin, end);
    const void* const caller = found->second.caller;
    live_.erase(found);
    used_ -= counted(bytes);
    ++changes_;
    freed_[begin] = {end, bytes, caller};
    // Larger allocations lose their memory, so poisoning their shadow is not worth the time.
    if (reserved < large_bytes) poison(pointer, bytes, Poison::freed);
    std::uintptr_t free_begin = begin, free_end = end;
    const auto next = free_.lower_bound(end);
    if (next != free_.begin()) {
      const auto [previous, previous_bytes] = *std::prev(next);
      if (previous + previous_bytes == begin) {
        free_begin = previous;
        erase_free(previous, previous_bytes);
      }
    }
    if (next != free_.end() && next->first == end) {
      free_end += next->second;
      erase_free(end, free_end - end);
    }
    insert_free(free_begin, free_end - free_begin);
    decommit_within(begin, end, free_begin, free_end);
    return true;
  }

  void release_all() {
    for (;;) {
      const void* first = nullptr;
      {
        const std::lock_guard lock(mutex_);
        if (live_.empty()) return;
        first = reinterpret_cast<const void*>(live_.begin()->first);
      }
      release(first);
    }
  }

  // The allocation around an address; false if there is none.
  bool find(const void* pointer, Allocation& found) {
    const std::lock_guard lock(mutex_);
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    auto candidate = live_.upper_bound(address);
    if (candidate == live_.begin()) return false;
    --candidate;
    found = {candidate->first, candidate->second.bytes, candidate->second.kind};
    return address < found.begin + found.bytes;
  }

  // The same with what a report says of it; empty if there is none.
  NearAllocation around(std::uintptr_t address) {
    const std::lock_guard lock(mutex_);
    const auto after = live_.upper_bound(address);
    if (after == live_.begin()) return {};
    const auto& [begin, found] = *std::prev(after);
    if (address - begin >= found.bytes) return {};
    return {begin, found.bytes, found.caller};
  }

  // How many bytes from the start of an allocation the program has written; all of them if unknown.
  std::size_t written_bytes(std::uintptr_t begin) {
    const std::lock_guard lock(mutex_);
    Reservation& reservation = live_.at(begin);
    if (!reservation.filled) return reservation.bytes;
    const std::size_t first = (begin - arena().base()) / granule_bytes;
    const std::size_t end = first + (reservation.bytes + granule_bytes - 1) / granule_bytes;
    // Written memory stays written.
    reservation.written = fresh_memory().first_unwritten(first + reservation.written, end) - first;
    return std::min(reservation.written * granule_bytes, reservation.bytes);
  }

  // For the fault handler: it must not wait for a lock that its own thread holds.
  AddressKind classify(std::uintptr_t address) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return AddressKind::unknown;
    const auto freed = freed_.upper_bound(address);
    if (freed != freed_.begin() && address < std::prev(freed)->second.end) return AddressKind::freed;
    auto found = live_.upper_bound(address);
    if (found == live_.begin()) return AddressKind::unknown;
    --found;
    if (address < found->first + found->second.bytes) return AddressKind::allocated;
    return address < found->first + found->second.reserved ? AddressKind::red_zone : AddressKind::unknown;
  }

  // A kernel has accessed a page that belongs to no allocation: gives it memory, in which every access is a
  // fault. False if that is not possible. For the fault handler.
  bool give_stray_page(std::uintptr_t address, Poison why) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || !stray_pages().give_memory(address)) return false;
    poison(reinterpret_cast<const void*>(address / page_bytes * page_bytes), page_bytes, why);
    return true;
  }

  // The allocation that an access to an address was perhaps meant for: one that has been freed, or the nearest
  // one. For the fault handler, too.
  NearAllocation near(std::uintptr_t address) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || address - arena().base() < arena().shared_bytes()) return {};
    const auto freed = freed_.upper_bound(address);
    if (freed != freed_.begin() && address < std::prev(freed)->second.end) {
      const auto& [begin, found] = *std::prev(freed);
      return {begin, found.bytes, found.caller};
    }
    return nearest(address);
  }

  // All changes of poison are made under the heap's lock.
  template <class Change>
  void with_lock(Change change) {
    const std::lock_guard lock(mutex_);
    change();
  }

  // A child process inherits the lock as it is, but not the thread that holds it.
  void before_fork() { mutex_.lock(); }
  void after_fork() { mutex_.unlock(); }

  // Calls `visit` with the pages and the kind of each allocation, in ascending order. Returns the
  // number of allocations and frees so far.
  template <class Visit>
  std::uint64_t each_allocation(Visit visit) {
    const std::lock_guard lock(mutex_);
    for (const auto& [address, allocation] : live_) {
      visit(address / page_bytes * page_bytes, round_up(address + allocation.bytes, page_bytes), allocation.kind);
    }
    return changes_;
  }
  std::uint64_t changes() {
    const std::lock_guard lock(mutex_);
    return changes_;
  }

  // What is allocated and has not been accessed, so that it has no memory yet.
  std::size_t untouched_bytes() {
    constexpr std::size_t pages_at_a_time = std::size_t{1} << 16;
    const std::lock_guard lock(mutex_);
    std::vector<unsigned char> resident(pages_at_a_time);
    std::size_t untouched = 0;
    for (const auto& [begin, allocation] : live_) {
      const std::uintptr_t end = round_up(begin + allocation.bytes, page_bytes);
      for (std::uintptr_t at = begin / page_bytes * page_bytes; at < end; at += pages_at_a_time * page_bytes) {
        const std::size_t bytes = std::min<std::size_t>(end - at, pages_at_a_time * page_bytes), pages = bytes / page_bytes;
        if (mincore(reinterpret_cast<void*>(at), bytes, resident.data()) != 0) continue;
        for (std::size_t page = 0; page < pages; ++page) untouched += (resident[page] & 1) != 0 ? 0 : page_bytes;
      }
    }
    return untouched;
  }

  std::size_t free_bytes() {
    const std::lock_guard lock(mutex_);
    return limit_ - used_;
  }
  std::size_t total_bytes() const { return limit_; }
  // Of allocations, without waiting for others that change it.
  std::size_t used_bytes() const { return used_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t alignment = 256;
  static constexpr std::size_t red_zone_bytes = 64;
  static constexpr std::size_t large_bytes = std::size_t{1} << 16;
  static constexpr std::size_t max_filled_at_once = std::size_t{64} << 20;

  struct Reservation {
    std::size_t bytes, reserved;
    MemoryKind kind;
    bool filled;
    std::size_t written;  // granules from its start that are known to be written
    const void* caller;
  };
  struct Freed {
    std::uintptr_t end;
    std::size_t bytes;
    const void* caller;
  };

  // The nearest allocation; one that begins after the address, only if it is close or the first one.
  NearAllocation nearest(std::uintptr_t address) const {
    constexpr std::uintptr_t close = page_bytes;
    const auto next = live_.upper_bound(address);
    const bool has_last = next != live_.begin();
    const auto last = has_last ? std::prev(next) : next;
    const std::uintptr_t past = has_last ? address - last->first - std::min(address - last->first, last->second.bytes) : ~std::uintptr_t{0};
    const bool before = next != live_.end() && (!has_last || next->first - address <= std::min(close, past));
    if (!before && !has_last) return {};
    const auto& [begin, found] = before ? *next : *last;
    return {begin, found.bytes, found.caller};
  }

  // The memory size reported to programs, some of which allocate all of it: what there is memory for. With
  // its shadow word and site, memory that is accessed takes four times its size, and another fifth is left to
  // host code. Three digits would differ from run to run.
  static std::size_t device_bytes() {
    constexpr std::size_t size_with_shadow = 1 + (sizeof(Word) + sizeof(SiteId)) / granule_bytes;
    const std::size_t memory = memory_bytes_at_start() / 5 * 4 / size_with_shadow;
    const std::size_t address_space = (arena().bytes() - arena().shared_bytes() - arena().gap_bytes()) / 4 * 3;
    const std::size_t bytes = std::max(std::min(memory, address_space), page_bytes);
    const std::size_t step = std::max((std::size_t{1} << (63 - __builtin_clzll(bytes))) / 8, page_bytes);
    return bytes / step * step;
  }

  // What an allocation takes of the reported size: a program may ask for all of that at once.
  static std::size_t counted(std::size_t bytes) { return round_up(bytes, alignment); }

  void insert_free(std::uintptr_t begin, std::size_t bytes) {
    free_[begin] = bytes;
    free_by_size_.insert({bytes, begin});
  }
  void erase_free(std::uintptr_t begin, std::size_t bytes) {
    free_.erase(begin);
    free_by_size_.erase({bytes, begin});
  }
  bool is_free(std::uintptr_t begin) const { return free_.count(begin) != 0; }
  std::uintptr_t end_of_free(std::uintptr_t begin, std::uintptr_t limit) const {
    const std::uintptr_t end = begin + free_.at(begin);
    return end < limit ? end : limit;
  }

  void forget_freed(std::uintptr_t begin, std::uintptr_t end) {
    auto next = freed_.lower_bound(begin);
    if (next != freed_.begin() && std::prev(next)->second.end > begin) --next;
    while (next != freed_.end() && next->first < end) next = freed_.erase(next);
  }

  // Releases the memory of the whole pages that [begin, end) touches and that are inside the
  // surrounding free range.
  static void decommit_within(std::uintptr_t begin, std::uintptr_t end, std::uintptr_t free_begin, std::uintptr_t free_end) {
    std::uintptr_t first = begin / page_bytes * page_bytes;
    std::uintptr_t last = round_up(end, page_bytes);
    if (first < free_begin) first += page_bytes;
    if (last > free_end) last -= page_bytes;
    if (first >= last) return;
    host_guard().forget(first, last);
    stray_pages().forget(first, last);
    Arena::decommit(first, last);
  }

  std::mutex mutex_;
  std::map<std::uintptr_t, Reservation> live_;
  std::map<std::uintptr_t, std::size_t> free_;
  std::set<std::pair<std::size_t, std::uintptr_t>> free_by_size_;
  std::map<std::uintptr_t, Freed> freed_;  // by their begin, until reused
  std::size_t limit_ = device_bytes();
  std::atomic<std::size_t> used_{0};
  std::uint64_t changes_ = 0;
};

inline DeviceHeap& device_heap() {
  static DeviceHeap* const heap = new DeviceHeap;
  return *heap;
}

// Whether the checks have ended for lack of memory, or have to.
inline bool memory_is_low() {
  DeviceHeap& heap = device_heap();
  return memory_watch().is_low(heap.used_bytes(), [&] { return heap.untouched_bytes(); });
}

}  // namespace hirace::cpu
