// The workspace of a grid: where code that nvcc has compiled keeps the barrier of a cooperative launch, and whose
// address it reads from `%envreg1` and `%envreg2` (cooperative_groups/details/driver_abi.h in the toolkit). CUDA source
// has grid_sync() instead.
#pragma once

#include <cstring>

#include "../memory/device_heap.h"
#include "worker.h"

namespace hirace::cpu {

constexpr std::size_t grid_workspace_bytes = 8;

// Its address; 0 in a launch that is not cooperative.
HIRACE_RUNTIME std::uint64_t grid_workspace() {
  Launch& launch = this_worker->launch();
  if (!launch.cooperative) return 0;
  void* known = launch.workspace.load(std::memory_order_acquire);
  if (known == nullptr) {
    void* const made = device_heap().allocate(grid_workspace_bytes, MemoryKind::device);
    if (made == nullptr) return 0;
    std::memset(made, 0, grid_workspace_bytes);
    // Another worker may have been first.
    if (launch.workspace.compare_exchange_strong(known, made, std::memory_order_acq_rel)) {
      known = made;
    } else {
      device_heap().release(made);
    }
  }
  return reinterpret_cast<std::uintptr_t>(known);
}

inline void release_grid_workspace(Launch& launch) {
  if (void* const workspace = launch.workspace.exchange(nullptr)) device_heap().release(workspace);
}

}  // namespace hirace::cpu
