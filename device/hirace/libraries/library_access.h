// Host code of libraries that works on device memory in the device's name: what thrust and
// CUB's device-wide functions do between launches.
#pragma once

#include "../executor/memory/host_guard.h"
#include "../executor/runtime/memory.h"

namespace hirace::cpu {

// While one lives, device memory may be touched. A kernel may at any time. The library is taken
// to wait for the device in the end.
class LibraryAccess {
 public:
  LibraryAccess() : opened_(!monitor.in_kernel) {
    if (opened_) host_guard().open();
  }
  ~LibraryAccess() {
    if (!opened_) return;
    host_guard().close();
    launch_order().host_waits_for_all();
  }
  LibraryAccess(const LibraryAccess&) = delete;
  LibraryAccess& operator=(const LibraryAccess&) = delete;

 private:
  const bool opened_;
};

}  // namespace hirace::cpu
