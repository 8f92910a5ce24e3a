// Keeps host code away from device memory.
//
// Kernels, copies and host code share an address space, so pages of device memory are inaccessible
// while neither a kernel nor a copy runs. The first access by host code is recorded (faults.h) and
// ends the guarding for the rest of the run.
//
//   open  ──close()──> closed          users: kernels and copies that run now
//   open <──open()───  closed
//   open <──give_up()─ either          and stays open
//
// A page is closed only if it is in `ranges_`, and ranges change before pages do. So opening all
// ranges opens all memory, whatever happened before, and a fault in a range is the guard's doing.
// Whether guarding is worth its price is decided where memory is about to be closed, and nowhere else.
//
// Changing the rights of pages takes time. Once a program has spent a share of the budget, it is thrifty: of a
// large range, the first pages and the last one are closed. Once it has spent all of it, its host accesses
// are no longer noticed. The report says so in both cases.
#pragma once

#include <sched.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "arena.h"
#include "../check/recorder.h"

namespace hirace::cpu {

void ensure_fault_handlers();  // faults.h

// Whether a program's own memory functions need to ask the guard.
inline std::atomic<bool> guards_memory{false};

class HostGuard {
 public:
  // Device memory is needed now. Calls may be nested, and made by several threads.
  void open() {
    const Lock lock(*this);
    ++users_;
    open_all();
  }
  void close() {
    const Lock lock(*this);
    if (--users_ == 0) close_all();
  }

  // Memory that is closed stays closed meanwhile, and no more is closed by others.
  void hold() {
    const Lock lock(*this);
    ++users_;
  }
  void end_hold() {
    const Lock lock(*this);
    if (--users_ == 0 && !closed_) close_all();
  }

  // Whole pages of device memory are in use from now on: those of an allocation.
  void add(std::uintptr_t begin, std::uintptr_t end) {
    const Lock lock(*this);
    if (given_up_) return;
    for (const Range& part : parts({begin, end})) guard(part);
  }

  // These pages have lost their memory.
  void forget(std::uintptr_t begin, std::uintptr_t end) {
    const Lock lock(*this);
    for (unsigned i = 0; i < count_;) {
      Range& range = ranges_[i];
      if (range.end <= begin || end <= range.begin) {
        ++i;
        continue;
      }
      const Range left{range.begin, std::max(range.begin, begin)}, right{std::min(range.end, end), range.end};
      pages_ -= pages_of(range);
      range = ranges_[--count_];
      for (const Range& rest : {left, right}) {
        if (!add_range(rest) && closed_) set_rights(rest, PROT_READ | PROT_WRITE);
      }
    }
  }

  // Whether the guard is the reason for a fault at an address. For signal handlers.
  bool is_guarded(std::uintptr_t address) { return is_guarded(address, 1); }
  bool is_guarded(std::uintptr_t address, std::size_t bytes) {
    if (!arena().contains(address)) return false;
    const Lock lock(*this);
    return std::any_of(ranges_, ranges_ + count_,
                       [&](const Range& range) { return address < range.end && range.begin < address + bytes; });
  }

  // Opens all memory for good. False if that has happened before. For signal handlers, too.
  bool give_up() {
    const bool first = !given_up_.exchange(true);
    guards_memory.store(false, std::memory_order_relaxed);
    const Lock lock(*this);
    closed_ = true;  // a handler may have interrupted a change
    open_all();
    return first;
  }

  // Other threads do not exist in a child process, and cannot unlock there what they have locked.
  void before_fork() { acquire(); }
  void after_fork() { release(); }

 private:
  static constexpr unsigned max_ranges = 512, max_thrifty_ranges = 32;
  static constexpr std::size_t max_pages = std::size_t{1} << 16, max_thrifty_pages = 512;
  static constexpr std::size_t whole_bytes = 256 * page_bytes, large_begin_bytes = 32 * page_bytes;
  static constexpr std::uint64_t budget = 100000;  // about a hundred milliseconds
  static constexpr std::uint64_t free_budget = budget / 2;

  struct Range {
    std::uintptr_t begin, end;
  };
  static std::size_t pages_of(const Range& range) { return (range.end - range.begin) / page_bytes; }

  // Held for a few system calls. A signal handler that has interrupted its own thread's change goes
  // on without it; the change then finds that the guard has given up.
  class Lock {
   public:
    explicit Lock(HostGuard& guard) : guard_(guard), nested_(guard.owner_.load(std::memory_order_relaxed) == this_thread()) {
      if (!nested_) guard_.acquire();
    }
    ~Lock() {
      if (!nested_) guard_.release();
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

   private:
    HostGuard& guard_;
    const bool nested_;
  };

  static const void* this_thread() {
    static thread_local const char here = 0;
    return &here;
  }
  void acquire() {
    const void* nobody = nullptr;
    while (!owner_.compare_exchange_weak(nobody, this_thread(), std::memory_order_acquire)) {
      nobody = nullptr;
      sched_yield();
    }
  }
  void release() { owner_.store(nullptr, std::memory_order_release); }

  // What is guarded of a range. One of them may be empty.
  std::array<Range, 2> parts(const Range& range) {
    if (range.end - range.begin <= whole_bytes || (!thrifty_ && pages_ + pages_of(range) <= max_pages)) return {range, {range.end, range.end}};
    recorder().note_limit(host_accesses_not_followed);
    return {Range{range.begin, range.begin + large_begin_bytes}, Range{range.end - page_bytes, range.end}};
  }

  // Guards less from now on. All memory is open.
  void begin_thrift() {
    thrifty_ = true;
    const std::vector<Range> all(ranges_, ranges_ + count_);
    count_ = 0;
    pages_ = 0;
    for (const Range& range : all) {
      for (const Range& part : parts(range)) add_range(part);
    }
  }

  // Joins the range with one that it touches. False if there is no room.
  bool add_range(const Range& range) {
    if (range.begin == range.end) return true;
    Range* const last = ranges_ + count_;
    Range* const known = std::find_if(ranges_, last, [&](const Range& it) { return range.begin <= it.end && it.begin <= range.end; });
    const bool fresh = known == last;
    const Range joined = fresh ? range : Range{std::min(range.begin, known->begin), std::max(range.end, known->end)};
    const std::size_t more = pages_of(joined) - (fresh ? 0 : pages_of(*known));
    if (pages_ + more > (thrifty_ ? max_thrifty_pages : max_pages) || (fresh && count_ >= (thrifty_ ? max_thrifty_ranges : max_ranges))) {
      recorder().note_limit(host_accesses_not_followed);
      return false;
    }
    pages_ += more;
    *known = joined;
    if (fresh) ++count_;
    guards_memory.store(true, std::memory_order_relaxed);
    return true;
  }

  void guard(const Range& range) {
    if (add_range(range) && closed_) protect(range);
  }

  void open_all() {
    if (!closed_) return;
    for (unsigned i = 0; i < count_; ++i) set_rights(ranges_[i], PROT_READ | PROT_WRITE);
    closed_ = false;
  }

  void close_all() {
    if (given_up_ || closed_ || count_ == 0) return;
    if (spent_ > budget) {
      given_up_ = true;
      guards_memory.store(false, std::memory_order_relaxed);
      return recorder().note_limit(host_accesses_not_followed);
    }
    if (spent_ > free_budget && !thrifty_) begin_thrift();
    closed_ = true;
    for (unsigned i = 0; i < count_; ++i) protect(ranges_[i]);
  }

  void protect(const Range& range) {
    ensure_fault_handlers();
    // Opening it again costs as much.
    constexpr std::uint64_t per_call = 2, calls_per_page = 4;
    spent_ += per_call + pages_of(range) / calls_per_page;
    set_rights(range, PROT_NONE);
    // A signal handler has interrupted this, and has opened everything.
    if (given_up_) set_rights(range, PROT_READ | PROT_WRITE);
  }

  static void set_rights(const Range& range, int rights) {
    if (range.begin == range.end) return;
    if (mprotect(reinterpret_cast<void*>(range.begin), range.end - range.begin, rights) == 0 || rights == PROT_NONE) return;
    // The memory would stay closed to kernels and copies.
    std::perror("hirace: failed to make device memory accessible");
    std::_Exit(2);
  }

  std::atomic<const void*> owner_{nullptr};
  Range ranges_[max_ranges];
  unsigned count_ = 0;
  std::size_t pages_ = 0;
  unsigned users_ = 0;
  bool closed_ = false, thrifty_ = false;
  std::uint64_t spent_ = 0;  // about microseconds
  std::atomic<bool> given_up_{false};
};

inline HostGuard& host_guard() {
  static HostGuard* const guard = new HostGuard;
  return *guard;
}

// Held while a kernel runs or the runtime itself accesses device memory.
class DeviceAccess {
 public:
  DeviceAccess() { host_guard().open(); }
  ~DeviceAccess() { host_guard().close(); }
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;
};

// Held while the heap gives out memory, whose pages it opens.
class DeviceAllocation {
 public:
  DeviceAllocation() { host_guard().hold(); }
  ~DeviceAllocation() { host_guard().end_hold(); }
  DeviceAllocation(const DeviceAllocation&) = delete;
  DeviceAllocation& operator=(const DeviceAllocation&) = delete;
};

}  // namespace hirace::cpu
