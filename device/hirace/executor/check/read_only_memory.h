// Global memory that a launch cannot write: reads of it race with nothing.
//
// A kernel can write what its parameters point to, unless they point to constants, and
// what pointers in memory lead to. Where it has no such pointers, the arrays that only its
// pointers to constants lead to stay as they are for as long as the launch runs. They are
// known by a byte for each unit of memory, which says in which generation of such arrays
// the unit was last one's; a read finds out with one comparison, and touches no shadow.
//
// A kernel can cast a constant away, or get at a pointer in ways that its types do not
// show. So the first write to every granule looks at the byte as well, and the report says
// that reads before it went unseen: every check of a write that could have raced with them
// passes there, because no access of the launch has changed the granule's word.
#pragma once

#include <vector>

#include "../memory/device_heap.h"
#include "../memory/device_section.h"
#include "kernel_entry.h"
#include "monitor.h"

namespace hirace::cpu {

class ReadOnlyMemory {
 public:
  using Pointer = KernelPointer;

  // The generation of the arrays that the launch of a kernel with these pointers can only
  // read. All its OS threads ask, each once; they get the same answer.
  std::uint8_t generation_of(const Pointer* pointers, std::size_t count) {
    const std::lock_guard lock(mutex_);
    if (launch_ == current_launch.serial) return launch_generation_;
    launch_ = current_launch.serial;
    wanted_.clear();
    if (all_lead_to_arrays(pointers, count) && !section_has_pointers()) {
      for (std::size_t i = 0; i < count; ++i) {
        if (pointers[i].constant) add(pointers, count, pointers[i].address);
      }
    }
    if (wanted_.empty()) return launch_generation_ = no_generation;
    // Launches with the same arrays follow one another.
    if (wanted_ != marked_) mark();
    return launch_generation_ = generation_;
  }

 private:
  using Range = std::pair<std::uintptr_t, std::uintptr_t>;

  // Whether all pointers that can write lead into an allocation, to its end, or to none.
  // Others may stand for one beside them, as where an array is counted from 1.
  static bool all_lead_to_arrays(const Pointer* pointers, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto address = reinterpret_cast<std::uintptr_t>(pointers[i].address);
      if (pointers[i].constant || !arena().contains(address)) continue;
      Allocation allocation;
      if (device_heap().find(reinterpret_cast<const void*>(address), allocation)) continue;
      if (!device_heap().find(reinterpret_cast<const void*>(address - 1), allocation)) return false;
    }
    return true;
  }

  // Adds the allocation around an address, unless a pointer leads to it that can write. What
  // nobody has written yet stays out, because reads of that are a fault.
  void add(const Pointer* pointers, std::size_t count, const volatile void* address) {
    Allocation allocation;
    if (!device_heap().find(const_cast<const void*>(address), allocation)) return;
    for (std::size_t i = 0; i < count; ++i) {
      const auto other = reinterpret_cast<std::uintptr_t>(pointers[i].address);
      if (!pointers[i].constant && other - allocation.begin <= allocation.bytes) return;
    }
    const std::uintptr_t end = allocation.begin + device_heap().written_bytes(allocation.begin);
    const Range range{(allocation.begin + read_only_unit - 1) / read_only_unit * read_only_unit, end / read_only_unit * read_only_unit};
    if (range.first < range.second && std::find(wanted_.begin(), wanted_.end(), range) == wanted_.end()) wanted_.push_back(range);
  }

  void mark() {
    if (++generation_ == no_generation) {  // the numbers have come round
      madvise(shadow_memory().generations + arena().base() / read_only_unit, arena().bytes() / read_only_unit, MADV_DONTNEED);
      generation_ = 1;
    }
    for (const auto& [begin, end] : wanted_) {
      std::memset(shadow_memory().generations + begin / read_only_unit, generation_, (end - begin) / read_only_unit);
    }
    marked_ = wanted_;
  }

  // Whether a variable of the device may point to device memory. A large section is not
  // looked through at every launch.
  static bool section_has_pointers() {
    constexpr std::size_t most_searched = std::size_t{1} << 20;
    const auto begin = reinterpret_cast<std::uintptr_t>(device_section_begin());
    const auto end = reinterpret_cast<std::uintptr_t>(device_section_end());
    if (end - begin > most_searched) return true;
    for (std::uintptr_t at = (begin + 7) / 8 * 8; at + 8 <= end; at += 8) {
      if (arena().contains(*reinterpret_cast<const std::uintptr_t*>(at))) return true;
    }
    return false;
  }

  std::mutex mutex_;
  std::uint8_t generation_ = 0;
  std::uint8_t launch_generation_ = no_generation;
  std::uint64_t launch_ = 0;  // the one that it belongs to
  std::vector<Range> wanted_, marked_;
};

inline ReadOnlyMemory& read_only_memory() {
  static ReadOnlyMemory* const memory = new ReadOnlyMemory;
  return *memory;
}

HIRACE_RUNTIME void enter_kernel_slowly(const KernelPointer* pointers, std::size_t count) {
  // The first blocks may be switched off.
  if (monitor.window_granules == 0) return;
  monitor.at_kernel_entry = false;
  monitor.generation = read_only_memory().generation_of(pointers, count);
  // Reads of the arrays are not counted; that none of them can race was found once for all.
  if (monitor.generation != no_generation) ++monitor.granted;
}

}  // namespace hirace::cpu
