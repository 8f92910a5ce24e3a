// Keeps host code away from device memory.
//
// Kernels, copies and host code share an address space, so device memory is inaccessible while
// neither a kernel nor a copy runs. The first access by host code is recorded (faults.h) and makes
// device memory accessible for the rest of the run.
//
// Changing access rights costs a system call per range of pages, and time per page. Once a program
// has spent the budget, its host accesses are no longer checked; the report says so.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "device_heap.h"
#include "../check/monitor.h"

namespace hirace::cpu {

void install_fault_handlers();  // faults.h

class HostGuard {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    if (users_++ == 0) set_rights(true);
  }
  void close() {
    const std::lock_guard lock(mutex_);
    if (--users_ == 0) set_rights(false);
  }

  // The host has accessed device memory, or the cost is too high: stop guarding. Called from a
  // signal handler, in a thread that holds none of our locks, since host code holds none.
  void give_up() {
    const std::lock_guard lock(mutex_);
    given_up_.store(true, std::memory_order_relaxed);
    if (closed_) device_heap().set_host_rights(true);
    closed_ = false;
  }
  bool has_given_up() const { return given_up_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::uint64_t budget = 100000;  // about a hundred milliseconds

  void set_rights(bool allowed) {
    if (has_given_up() || closed_ != allowed) return;
    if (spent_ > budget) {
      given_up_.store(true, std::memory_order_relaxed);
      recorder().note_limit(host_accesses_not_followed);
      return;
    }
    if (!allowed) install_fault_handlers();
    spent_ += device_heap().set_host_rights(allowed);
    closed_ = !allowed;
  }

  std::mutex mutex_;
  unsigned users_ = 0;
  bool closed_ = false;
  std::uint64_t spent_ = 0;
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

}  // namespace hirace::cpu
