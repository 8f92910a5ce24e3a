// Global memory that a launch cannot write: reads of it cannot race.
//
// A kernel can write memory reached through its pointer parameters, unless they point to constants, and
// memory reached through pointers in memory. Without the latter, arrays that only its pointers to constants
// reach do not change while the launch runs. One byte per unit of memory holds the last generation of such
// arrays that the unit belonged to, so a read is recognised with one comparison and touches no shadow.
//
// A kernel can cast const away, or obtain a pointer in ways that its types do not show. So the
// first write to every granule checks the byte as well, and a limit is recorded: earlier reads were
// not checked. `hirace check` then runs the program again with HIRACE_READ_ONLY=checked. Every write
// that could have raced with them takes this path, because no access of the launch has changed the
// granule's word.
#pragma once

#include <vector>

#include "../memory/device_heap.h"
#include "../memory/device_section.h"
#include "kernel_entry.h"
#include "launch_arguments.h"
#include "monitor.h"

namespace hirace::cpu {

class ReadOnlyMemory {
 public:
  using Pointer = KernelPointer;

  // The generation of the arrays that the launch of a kernel with these pointers can only read.
  // Each of its OS threads calls this once; all get the same result.
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
    // Consecutive launches often have the same arrays.
    if (wanted_ != marked_) mark();
    return launch_generation_ = generation_;
  }

 private:
  using Range = std::pair<std::uintptr_t, std::uintptr_t>;

  // Whether every pointer that can write leads into an allocation, to its end, or to no device memory. Any
  // other pointer may belong to a neighbouring array, as when an array is indexed from 1.
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

  // Adds the allocation around an address, unless a pointer that can write leads to it. Unwritten
  // memory is left out, because reading it is a fault.
  void add(const Pointer* pointers, std::size_t count, const volatile void* address) {
    Allocation allocation;
    if (!device_heap().find(const_cast<const void*>(address), allocation)) return;
    // The host may write it while it is read.
    if (watches_host() && host_memory().contains(allocation.begin)) return;
    for (std::size_t i = 0; i < count; ++i) {
      const auto other = reinterpret_cast<std::uintptr_t>(pointers[i].address);
      if (!pointers[i].constant && other - allocation.begin <= allocation.bytes) return;
    }
    const std::uintptr_t end = allocation.begin + device_heap().written_bytes(allocation.begin);
    const Range range{(allocation.begin + read_only_unit - 1) / read_only_unit * read_only_unit, end / read_only_unit * read_only_unit};
    if (range.first < range.second && std::find(wanted_.begin(), wanted_.end(), range) == wanted_.end()) wanted_.push_back(range);
  }

  void mark() {
    if (++generation_ == no_generation) {  // the numbers wrapped
      madvise(shadow_memory().generations + arena().base() / read_only_unit, arena().bytes() / read_only_unit, MADV_DONTNEED);
      generation_ = 1;
    }
    for (const auto& [begin, end] : wanted_) {
      std::memset(shadow_memory().generations + begin / read_only_unit, generation_, (end - begin) / read_only_unit);
    }
    marked_ = wanted_;
  }

  // Whether a device variable may point to device memory. A large section is not searched at every launch.
  static bool section_has_pointers() {
    constexpr std::size_t max_searched_bytes = std::size_t{1} << 20;
    const auto begin = reinterpret_cast<std::uintptr_t>(device_section_begin());
    const auto end = reinterpret_cast<std::uintptr_t>(device_section_end());
    if (end - begin > max_searched_bytes) return true;
    for (std::uintptr_t at = (begin + 7) / 8 * 8; at + 8 <= end; at += 8) {
      if (arena().contains(*reinterpret_cast<const std::uintptr_t*>(at))) return true;
    }
    return false;
  }

  std::mutex mutex_;
  std::uint8_t generation_ = 0;
  std::uint8_t launch_generation_ = no_generation;
  std::uint64_t launch_ = 0;  // of launch_generation_
  std::vector<Range> wanted_, marked_;
};

inline ReadOnlyMemory& read_only_memory() {
  static ReadOnlyMemory* const memory = new ReadOnlyMemory;
  return *memory;
}

HIRACE_RUNTIME void enter_kernel_slowly(const KernelPointers& given) {
  launch_arguments.note(given);
  // A read that is not checked is not recorded for other launches.
  const bool alone = !current_launch.overlaps && !has_kernel_launches;
  const bool trusted = semantics.trusts_parameters && given.may_only_read && alone;
  // Monitoring of the first blocks may be switched off.
  if (trusted && monitor.window_granules == 0) return;
  monitor.at_kernel_entry = false;
  if (!trusted || shadow_memory().generations == nullptr) return;
  monitor.generation = read_only_memory().generation_of(given.list, given.count);
  // Reads of these arrays are not counted; the one check that covers them all is.
  if (monitor.generation != no_generation) ++monitor.granted;
}

}  // namespace hirace::cpu
