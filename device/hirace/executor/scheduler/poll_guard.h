// Detects writes to device memory while a launch is watched for threads that poll forever (poll_watch.h).
//
// Device memory is then read-only: a write faults, makes all of it writable again and continues.
// Code that is not monitored needs no bookkeeping. Memory that the host can change at any time is
// at first unreadable, too, to find out whether threads read it.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "../memory/arena.h"
#include "../memory/device_heap.h"
#include "../memory/device_section.h"

namespace hirace::cpu {

class PollGuard {
 public:
  // False if there is too much memory, or memory in too many pieces.
  bool arm() {
    section_bytes_ = static_cast<std::size_t>(device_section_end() - device_section_begin());
    if (section_bytes_ > sizeof section_) return false;
    if (section_bytes_ != 0) std::memcpy(section_, device_section_begin(), section_bytes_);
    count_ = 1;
    ranges_[0] = {arena().base(), arena().base() + arena().shared_bytes(), false};
    bool fits = true;
    changes_ = device_heap().each_allocation([&](std::uintptr_t begin, std::uintptr_t end, MemoryKind kind) {
      const bool host = kind != MemoryKind::device;
      Range& last = ranges_[count_ - 1];
      if (count_ > 1 && begin <= last.end && host == last.host) {
        last.end = end;
      } else if (count_ < max_ranges) {
        ranges_[count_++] = {begin, end, host};
      } else {
        fits = false;
      }
    });
    if (!fits) return false;
    host_readable_ = false;
    armed_ = true;
    for (std::size_t i = 0; i < count_; ++i) set_rights(ranges_[i], ranges_[i].host ? PROT_NONE : PROT_READ);
    return true;
  }

  // Makes device memory writable again.
  void disarm() {
    if (!armed_) return;
    armed_ = false;
    for (std::size_t i = 0; i < count_; ++i) set_rights(ranges_[i], PROT_READ | PROT_WRITE);
  }

  // Whether nothing has been written, allocated or freed since arm().
  bool untouched() const {
    return armed_ && device_heap().changes() == changes_ &&
           (section_bytes_ == 0 || std::memcmp(section_, device_section_begin(), section_bytes_) == 0);
  }

  // Whether threads may have read memory that the host can change while a kernel runs. Which variables they read
  // is unknown.
  bool host_visible() const { return host_readable_ || has_managed_variables; }

  // Called in a signal handler of the OS thread that runs the launch. Returns whether the
  // instruction can run again.
  bool on_fault(std::uintptr_t address) {
    if (!armed_) return false;
    Range* const end = ranges_ + count_;
    const Range* const range = std::find_if(ranges_, end, [&](const Range& it) { return address - it.begin < it.end - it.begin; });
    if (range == end) return false;
    if (range->host && !host_readable_) {
      // If the access is a write, it faults again.
      for (std::size_t i = 0; i < count_; ++i) set_rights(ranges_[i], PROT_READ);
      host_readable_ = true;
    } else {
      disarm();
    }
    return true;
  }

 private:
  struct Range {
    std::uintptr_t begin, end;
    bool host;
  };

  static void set_rights(const Range& range, int rights) {
    mprotect(reinterpret_cast<void*>(range.begin), range.end - range.begin, rights);
  }

  static constexpr std::size_t max_ranges = 512;

  Range ranges_[max_ranges];
  std::size_t count_ = 0;
  std::uint64_t changes_ = 0;
  // A copy: __device__ and __managed__ variables share their pages with others.
  char section_[8192];
  std::size_t section_bytes_ = 0;
  bool armed_ = false;
  bool host_readable_ = false;
};

inline PollGuard poll_guard;

}  // namespace hirace::cpu
