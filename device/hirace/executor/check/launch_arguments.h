// The pointers that the running launch was given: a report names the parameter by which the kernel reaches an
// allocation, whatever it is called in functions and by other variables.
#pragma once

#include "../memory/device_heap.h"
#include "kernel_entry.h"
#include "monitor.h"

namespace hirace::cpu {

class LaunchArguments {
 public:
  void note(const KernelPointers& given) {
    launch_ = current_launch.serial;
    complete_ = given.complete;
    count_ = 0;
    for (std::size_t i = 0; i < given.count && count_ < max_pointers; ++i) {
      const KernelPointer& it = given.list[i];
      const auto address = reinterpret_cast<std::uintptr_t>(it.address);
      if (it.parameter < given.named && arena().contains(address)) pointers_[count_++] = {address, given.names + it.parameter};
    }
  }

  // The key of the only parameter that leads to an allocation, or to its end; 0 if there is none, or another one. Where
  // the kernel may have other pointers, it has to lead to the start, since programs divide large allocations.
  std::uint64_t leading_to(const NearAllocation& found) const {
    if (launch_ != current_launch.serial) return 0;
    std::uint64_t only = 0;
    bool is_known = false;
    for (std::size_t i = 0; i < count_; ++i) {
      const Pointer& it = pointers_[i];
      if (it.address - found.begin > found.bytes) continue;
      if (only != 0 && it.name != only) return 0;
      only = it.name;
      is_known = is_known || complete_ || it.address == found.begin;
    }
    return is_known ? only : 0;
  }

 private:
  static constexpr std::size_t max_pointers = 32;
  struct Pointer {
    std::uintptr_t address;
    std::uint64_t name;
  };
  std::uint64_t launch_ = 0;
  bool complete_ = false;
  std::size_t count_ = 0;
  Pointer pointers_[max_pointers];
};

// Each worker has its own, from the first thread that enters the kernel there.
inline thread_local LaunchArguments launch_arguments;

}  // namespace hirace::cpu
