// Launches from kernels: `kernel<<<grid, block>>>(...)` in device code.
//
// A child grid runs after the grid that launched it, as a launch of its own. So it is ordered after
// everything that its parent did, whereas CUDA guarantees this only for what the launching thread did before
// the launch: races between a child and the rest of its parent are missed, and the report says so. All
// descendants of a child are done before the next child begins, and launches into cudaStreamTailLaunch come
// last (CUDA C++ Programming Guide, "Execution Environment and Memory Model").
#pragma once

#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#include "../check/monitor.h"
#include "../runtime/stream_types.h"
#include "worker.h"

namespace hirace::cpu {

struct ChildLaunch {
  LaunchInfo info;
  dim3 grid, block;
  std::size_t dynamic_shared;
  cudaStream_t stream;
  std::uint64_t parent_block;
  unsigned depth;
  void (*run)(void*);
  std::shared_ptr<void> body;

  bool is_tail() const { return stream == cudaStreamTailLaunch; }
};

class ChildQueue {
 public:
  // The deepest nesting that CUDA allows.
  static constexpr unsigned max_depth = 24;

  cudaError_t add(ChildLaunch child) {
    if (!child.is_tail() && depth_ + 1 >= max_depth) return cudaErrorLaunchMaxDepthExceeded;
    child.depth = child.is_tail() ? depth_ : depth_ + 1;
    child.parent_block = this_worker->block().index;
    ++unrepeatable_calls;
    const std::lock_guard lock(mutex_);
    launched_.push_back(std::move(child));
    return cudaSuccess;
  }

  // Whether the running grid has launched no others; its own nesting depth.
  bool empty() const { return launched_.empty(); }
  unsigned depth() const { return depth_; }

  // Runs the launches of the grid that has just ended, and the launches of those.
  template <class Run>
  void run_all(const Run& run) {
    std::vector<ChildLaunch> waiting;  // the next one is at the end
    take(waiting);
    while (!waiting.empty()) {
      const ChildLaunch child = std::move(waiting.back());
      waiting.pop_back();
      depth_ = child.depth;
      run(child);
      take(waiting);
    }
    depth_ = 0;
  }

 private:
  // The order does not depend on which OS thread ran which block.
  void take(std::vector<ChildLaunch>& waiting) {
    if (launched_.empty()) return;
    // Not std::stable_sort, which would add a second to the compilation of every program.
    std::vector<ChildLaunch*> order;
    for (ChildLaunch& child : launched_) order.push_back(&child);
    std::qsort(order.data(), order.size(), sizeof order[0], [](const void* left, const void* right) {
      const ChildLaunch& a = **static_cast<ChildLaunch* const*>(left);
      const ChildLaunch& b = **static_cast<ChildLaunch* const*>(right);
      if (a.is_tail() != b.is_tail()) return a.is_tail() ? 1 : -1;
      if (a.parent_block != b.parent_block) return a.parent_block < b.parent_block ? -1 : 1;
      return &a < &b ? -1 : 1;
    });
    while (!order.empty()) {
      ChildLaunch& child = *order.back();
      order.pop_back();
      // A tail launch really is ordered after everything.
      if (!child.is_tail()) recorder().limit(recorder().kernel(child.info.kernel), children_after_parents);
      waiting.push_back(std::move(child));
    }
    launched_.clear();
  }

  std::mutex mutex_;
  std::vector<ChildLaunch> launched_;  // by the running grid
  unsigned depth_ = 0;                 // its nesting depth; 0 for launches by the host
};

inline ChildQueue& child_queue() {
  static ChildQueue* const queue = new ChildQueue;
  return *queue;
}

}  // namespace hirace::cpu
