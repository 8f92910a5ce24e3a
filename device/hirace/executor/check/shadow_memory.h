// The location of a granule's shadow on the CPU.
//
// Every granule that can be monitored has an index. Words, sites, attachments (a granule's witness node or
// byte node) and places (of what the order engine remembers, ordered_granule.h) are parallel arrays over it,
// reserved once and backed by memory only where they are touched:
//
//   0 ............ arena ........ device section ......... registered ...... byte nodes ....... end
//   | shared | global (window)  | __device__ variables   | host memory     | 4 granules a node |
//
// The arena is affine: index = (address - window) / 4. Ranges of registered host memory have places in their part.
// The bytes of a split granule get granules of their own in the last part.
//
// One byte per unit of the whole address space, so that a lookup needs no bounds check, holds the
// last generation of read-only arrays that the unit belonged to (read_only_memory.h). They are left out if
// address space is limited.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <map>

#include "granule.h"
#include "../memory/arena.h"
#include "../memory/device_section.h"
#include "../memory/registered_memory.h"

namespace hirace::cpu {

// The address space of user programs on x86-64 and aarch64, unless they request more.
constexpr std::size_t address_space = std::size_t{1} << 48;

class ShadowMemory {
 public:
  ShadowMemory() {
    const Arena& memory = arena();
    window_ = memory.base();
    arena_granules_ = memory.bytes() / granule_bytes;
    section_begin_ = reinterpret_cast<std::uintptr_t>(device_section_begin()) & ~std::uintptr_t{granule_bytes - 1};
    const auto section_end = reinterpret_cast<std::uintptr_t>(device_section_end());
    section_bytes_ = section_end > section_begin_ ? section_end - section_begin_ : 0;
    registered_base_ = arena_granules_ + (section_bytes_ + granule_bytes - 1) / granule_bytes;
    byte_base_ = registered_base_ + registered_bytes() / granule_bytes;
    byte_node_capacity_ = std::min(std::size_t{1} << 28, arena_granules_ / 4);
    granules_ = byte_base_ + byte_node_capacity_ * granule_bytes;
    const std::size_t parts = granules_ / touched_granules + 1;
    granules_ = parts * touched_granules;
    touched = reserve<std::uint8_t>(parts, parts);
    touched_list_ = reserve<std::uint32_t>(parts, parts);
    words = reserve<Word>(granules_, dense_from());
    sites = reserve<std::uint32_t>(granules_, dense_from());
    attachments = reserve<std::uint32_t>(granules_, dense_from());
    places = reserve<std::uint32_t>(granules_, dense_from());
    generations = memory.limited() ? nullptr : reserve<std::uint8_t>(address_space / read_only_unit, address_space / read_only_unit);
  }

  // The shadow of global memory is touched as densely as the data it describes. That of shared memory is small,
  // and so is that of the global memory of small programs, whose parallel arrays would take a large page each.
  static std::size_t dense_from() { return (arena().shared_bytes() + (std::size_t{1} << 20)) / granule_bytes; }

  // The number of granules.
  std::size_t granules() const { return granules_; }
  // The same without those of byte nodes.
  std::size_t memory_granules() const { return byte_base_; }

  // The first granule of the byte node `node`.
  Granule byte_granules(std::uint32_t node) const { return byte_base_ + Granule{node} * granule_bytes; }

  // A node that no other granule has; false if there are no more.
  bool take_byte_node(std::uint32_t& node) {
    if (next_byte_node_.load(std::memory_order_relaxed) >= byte_node_capacity_) return false;
    node = next_byte_node_.fetch_add(1, std::memory_order_relaxed);
    return node < byte_node_capacity_;
  }

  // Forgets every access but keeps poison. Needed when epochs wrap. Few launches use much of the memory that a
  // program has allocated, so only the touched part is cleared.
  void forget() {
    const std::size_t count = touched_count_.exchange(0);
    if (count > max_cleared) {
      madvise(words, granules_ * sizeof(Word), MADV_DONTNEED);
      madvise(touched, granules_ / touched_granules, MADV_DONTNEED);
      for (const auto& [begin, range] : poisoned_) fill(begin, range.end, range.word);
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Granule begin = Granule{touched_list_[i]} * touched_granules;
      touched[touched_list_[i]] = 0;
      fill(begin, begin + touched_granules, 0);
      restore_poison(begin, begin + touched_granules);
    }
  }

  // Gives back all memory. Nothing is checked from now on.
  void release() {
    const auto give_back = [this](auto* memory) { madvise(memory, granules_ * sizeof *memory, MADV_DONTNEED); };
    give_back(words);
    give_back(sites);
    give_back(attachments);
    give_back(places);
  }

  // The words of a part of memory are about to be changed, the first time since they were forgotten.
  void note_touched(std::size_t part) {
    if (__atomic_exchange_n(&touched[part], 1, __ATOMIC_RELAXED) == 0) touched_list_[touched_count_.fetch_add(1)] = static_cast<std::uint32_t>(part);
  }

  // A granule that the range covers only in part is not poisoned, because its other bytes may
  // belong to an allocation.
  void poison(std::uintptr_t address, std::size_t bytes, Poison why) {
    const Granule begin = (address - window_ + granule_bytes - 1) / granule_bytes;
    poison_granules(begin, (address + bytes - window_) / granule_bytes, why);
  }
  void unpoison(std::uintptr_t address, std::size_t bytes) {
    const Granule begin = (address - window_) / granule_bytes;
    const Granule end = (address + bytes - window_ + granule_bytes - 1) / granule_bytes;
    erase_poison(begin, end);
  }

  // The same between two addresses of the section of device variables.
  void poison_in_section(std::uintptr_t begin, std::uintptr_t end) {
    const Granule first = arena_granules_ + (begin - section_begin_ + granule_bytes - 1) / granule_bytes;
    poison_granules(first, arena_granules_ + (end - section_begin_) / granule_bytes, Poison::red_zone);
  }
  void unpoison_section() { erase_poison(arena_granules_, registered_base_); }

  // How much registered memory there is shadow for.
  std::size_t registered_bytes() const { return arena_granules_ * granule_bytes / 16; }

  // The granule of an address outside the arena; `no_granule` if it has none.
  static constexpr Granule no_granule = ~Granule{0};
  Granule granule_outside(std::uintptr_t address) const {
    if (address - section_begin_ < section_bytes_) return arena_granules_ + (address - section_begin_) / granule_bytes;
    const RegisteredMemory::Range* const range = registered_memory().find(address);
    return range != nullptr ? registered_granule(*range, address) : no_granule;
  }
  Granule registered_granule(const RegisteredMemory::Range& range, std::uintptr_t address) const {
    if (range.place == RegisteredMemory::Range::no_place) return no_granule;
    return registered_base_ + range.place / granule_bytes + (address / granule_bytes - range.begin / granule_bytes);
  }

  Word* words;
  std::uint32_t* sites;
  std::uint32_t* attachments;
  std::uint32_t* places;
  std::uint8_t* generations;  // or null
  std::uint8_t* touched;      // by parts of memory: whether words may have been changed

  // Elements from `dense_from` on, if any, get large pages. Null if there is no room.
  template <class T>
  static T* try_to_reserve(std::size_t count, std::size_t dense_from) {
    constexpr std::size_t large_page = std::size_t{2} << 20;
    void* const memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    const auto first = reinterpret_cast<std::uintptr_t>(memory), end = first + count * sizeof(T);
    const std::uintptr_t dense = (first + dense_from * sizeof(T) + large_page - 1) / large_page * large_page;
    if (dense < end) madvise(reinterpret_cast<void*>(dense), end - dense, MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }

  template <class T>
  static T* reserve(std::size_t count, std::size_t dense_from) {
    T* const memory = try_to_reserve<T>(count, dense_from);
    if (memory != nullptr) return memory;
    std::fprintf(stderr, "hirace: failed to reserve %zu MiB of address space for shadow memory\n", count * sizeof(T) >> 20);
    std::exit(2);
  }

 private:
  struct Range {
    Granule begin, end;
    Word word;
  };

  void poison_granules(Granule begin, Granule end, Poison why) {
    if (begin >= end) return;
    erase_poison(begin, end);
    poisoned_[begin] = {begin, end, poison_word(why)};
    fill(begin, end, poison_word(why));
  }

  // Sets the poison in a range again.
  void restore_poison(Granule begin, Granule end) {
    auto next = poisoned_.lower_bound(begin);
    if (next != poisoned_.begin() && std::prev(next)->second.end > begin) --next;
    for (; next != poisoned_.end() && next->second.begin < end; ++next) {
      fill(std::max(next->second.begin, begin), std::min(next->second.end, end), next->second.word);
    }
  }

  void fill(Granule begin, Granule end, Word word) {
    for (Granule granule = begin; granule < end; ++granule) words[granule] = word;
  }

  // Cuts [begin, end) out of the poisoned ranges and touches no other words: the other words of a
  // large allocation are unused.
  void erase_poison(Granule begin, Granule end) {
    auto next = poisoned_.lower_bound(begin);
    if (next != poisoned_.begin() && std::prev(next)->second.end > begin) --next;
    while (next != poisoned_.end() && next->second.begin < end) {
      const Range old = next->second;
      next = poisoned_.erase(next);
      fill(std::max(old.begin, begin), std::min(old.end, end), 0);
      if (old.begin < begin) poisoned_[old.begin] = {old.begin, begin, old.word};
      if (old.end > end) poisoned_[end] = {end, old.end, old.word};
    }
  }

  std::uintptr_t window_;
  std::uintptr_t section_begin_;
  std::size_t section_bytes_;
  Granule arena_granules_;
  Granule registered_base_, byte_base_;
  Granule granules_;
  std::size_t byte_node_capacity_;
  // The touched parts. Beyond that number, giving back all memory is faster.
  static constexpr std::size_t max_cleared = 8192;
  std::uint32_t* touched_list_;
  std::atomic<std::size_t> touched_count_{0};
  std::atomic<std::uint32_t> next_byte_node_{0};
  // Poisoned ranges by first granule. Guarded by the heap's lock, like all changes to allocations.
  std::map<Granule, Range> poisoned_;
};

inline ShadowMemory& shadow_memory() {
  static ShadowMemory* const memory = new ShadowMemory;
  return *memory;
}

inline void poison(const void* address, std::size_t bytes, Poison why) {
  shadow_memory().poison(reinterpret_cast<std::uintptr_t>(address), bytes, why);
}

inline void unpoison(const void* address, std::size_t bytes) {
  shadow_memory().unpoison(reinterpret_cast<std::uintptr_t>(address), bytes);
}

}  // namespace hirace::cpu
