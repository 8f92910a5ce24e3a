// Ranges anywhere, unlike the memory that the runtime allocates: memory of the host that the program has registered
// for kernels (cudaHostRegister), and device variables of libraries that it has loaded.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "../../checker/shadow.h"

namespace hirace::cpu {

class RegisteredMemory {
 public:
  enum class Owner { host, device };

  // A range, with its place in the part of the shadow that is kept for all of them, in bytes. Without one, its
  // accesses are not checked.
  struct Range {
    static constexpr std::size_t no_place = ~std::size_t{0};

    std::uintptr_t begin, end;
    std::size_t place;
    Owner owner;

    std::size_t bytes() const { return end - begin; }
    bool contains(std::uintptr_t address) const { return begin <= address && address < end; }
  };

  // `shadow_bytes`: how much there is shadow for. False if a part of the range is registered.
  bool add(std::uintptr_t begin, std::size_t bytes, std::size_t shadow_bytes, Owner owner = Owner::host) {
    const std::lock_guard lock(mutex_);
    std::vector<Range> ranges = now();
    const std::uintptr_t end = begin + bytes;
    const auto next = std::find_if(ranges.begin(), ranges.end(), [&](const Range& it) { return it.end > begin; });
    if (next != ranges.end() && next->begin < end) return false;
    const std::size_t place = free_place(ranges, bytes, shadow_bytes);
    ranges.insert(next, {begin, end, place, owner});
    publish(std::move(ranges));
    return true;
  }

  // Removes the range that begins at an address. False if there is none.
  bool remove(std::uintptr_t begin, Range& removed) {
    const std::lock_guard lock(mutex_);
    std::vector<Range> ranges = now();
    const auto found = std::find_if(ranges.begin(), ranges.end(), [&](const Range& it) { return it.begin == begin; });
    if (found == ranges.end()) return false;
    removed = *found;
    ranges.erase(found);
    publish(std::move(ranges));
    return true;
  }

  // The range of an address; null if there is none. Every access to memory outside the arena may ask.
  const Range* find(std::uintptr_t address) const {
    const std::vector<Range>* const ranges = ranges_.load(std::memory_order_acquire);
    if (ranges == nullptr) return nullptr;
    const auto next = std::upper_bound(ranges->begin(), ranges->end(), address, [](std::uintptr_t at, const Range& it) { return at < it.end; });
    return next != ranges->end() && next->contains(address) ? &*next : nullptr;
  }
  bool contains(const void* pointer, std::size_t bytes) const {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    const Range* const range = find(address);
    return range != nullptr && bytes <= range->end - address;
  }

  bool is_hosts(const void* pointer) const {
    const Range* const range = find(reinterpret_cast<std::uintptr_t>(pointer));
    return range != nullptr && range->owner == Owner::host;
  }

  bool has_hosts() const {
    const std::vector<Range>* const ranges = ranges_.load(std::memory_order_acquire);
    return ranges != nullptr && std::any_of(ranges->begin(), ranges->end(), [](const Range& it) { return it.owner == Owner::host; });
  }

 private:
  // Places begin at such multiples. The first and the last granule of a range may lie in it only in part.
  static constexpr std::size_t place_alignment = 4096;
  static std::size_t place_bytes(std::size_t bytes) { return (bytes + 2 * granule_bytes + place_alignment - 1) / place_alignment * place_alignment; }

  std::vector<Range> now() const {
    const std::vector<Range>* const ranges = ranges_.load(std::memory_order_relaxed);
    return ranges != nullptr ? *ranges : std::vector<Range>();
  }
  // Threads may still be looking at the ranges from before: these are kept.
  void publish(std::vector<Range> ranges) { ranges_.store(new std::vector<Range>(std::move(ranges)), std::memory_order_release); }

  static std::size_t free_place(std::vector<Range> ranges, std::size_t bytes, std::size_t shadow_bytes) {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.place < b.place; });
    std::size_t place = 0;
    for (const Range& range : ranges) {
      if (range.place == Range::no_place || place + place_bytes(bytes) <= range.place) break;
      place = range.place + place_bytes(range.bytes());
    }
    return place + place_bytes(bytes) <= shadow_bytes ? place : Range::no_place;
  }

  std::mutex mutex_;
  std::atomic<const std::vector<Range>*> ranges_{nullptr};  // in ascending order; null until there is one
};

inline RegisteredMemory global_registered_memory;
inline RegisteredMemory& registered_memory() { return global_registered_memory; }

}  // namespace hirace::cpu
