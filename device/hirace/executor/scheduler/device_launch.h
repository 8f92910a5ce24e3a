// Launches from kernels: `kernel<<<grid, block>>>(...)` in device code.
//
// A child grid runs after the grid that launched it, as a launch of its own; all descendants of a child are
// done before the next child begins, and launches into cudaStreamTailLaunch come last. CUDA orders less
// (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism"):
// - What the launching thread did before the launch, or knew of, comes before the child.
// - Launches into one stream follow one another, with their descendants. The default stream is one for each
//   block that launches; other streams belong to the grid, and cudaStreamFireAndForget is none.
// - A launch into cudaStreamTailLaunch comes after its parent and all other launches of that.
//
// The order engine follows that (order/grids.h). The state machine, which forgets each launch, takes
// children for later than all of their parents, and the report says so.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "../check/monitor.h"
#include "../runtime/stream_work.h"
#include "worker.h"

namespace hirace::cpu {

struct ChildLaunch {
  LaunchInfo info;
  dim3 grid, block;
  std::size_t dynamic_shared;
  cudaStream_t stream;
  void (*run)(void*);
  std::shared_ptr<void> body;

  // Set by the queue: where it belongs, what comes before it in its stream, and what its parent knew.
  unsigned depth = 0;
  std::uint64_t parent_block = 0;
  GridId id = 0, parent = 0;
  std::vector<GridId> after{};
  order::Passed told{};
  bool has_run = false;  // its descendants are done next

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
    child.id = first_ + grids_.size();
    grids_.emplace_back();
    if (!child.is_tail() && child.stream != cudaStreamFireAndForget) put_in_stream(child);
    // Its parent tells a tail launch all of it.
    if (launch_is_ordered() && order::running->extent.is_family && !child.is_tail()) {
      child.told = order::running->launches(ordered_thread());
      renew_time();
    }
    launched_.push_back(std::move(child));
    return cudaSuccess;
  }

  // The last launches into a stream of the running grid, for an event; and more that its next launch comes
  // after.
  std::vector<GridId> last_in(cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    return stream_of(stream, this_worker->block().index).last;
  }
  void wait_in(cudaStream_t stream, const std::vector<GridId>& grids) {
    const std::lock_guard lock(mutex_);
    std::vector<GridId>& last = stream_of(stream, this_worker->block().index).last;
    last.insert(last.end(), grids.begin(), grids.end());
  }

  // Whether the running grid has launched no others; its own nesting depth.
  bool empty() const { return launched_.empty(); }
  unsigned depth() const { return depth_; }

  // Runs a launch by the host, its launches, and the launches of those. `run(child, by)` runs one, or the
  // launch by the host if `child` is null, and returns whether the order engine follows it and its launches.
  template <class Run>
  void run_all(const Run& run) {
    const GridId root = first_;
    grids_.emplace_back();
    note_end(root, {}, run(nullptr, LaunchedBy()));
    std::vector<ChildLaunch> waiting;  // the next one is at the end
    take(waiting, root);
    while (!waiting.empty()) {
      ChildLaunch child = std::move(waiting.back());
      waiting.pop_back();
      if (child.has_run) {
        of(child.parent).done.join(of(child.id).done);
        continue;
      }
      if (is_last(child, waiting)) forget_order();
      depth_ = child.depth;
      const LaunchedBy by = launched_by(child);
      const bool followed = run(&child, by);
      const bool compared = by.parent != order::Grids::none && (followed || !current_launch.monitored);
      if (!compared && !child.is_tail()) recorder().limit(current_launch.kernel, children_after_parents);
      note_end(child.id, by.told, followed);
      const GridId id = child.id;
      child.has_run = true;
      child.body = nullptr;
      child.told = {};
      waiting.push_back(std::move(child));
      take(waiting, id);
    }
    depth_ = 0;
    forget_order();
    first_ += grids_.size();
    grids_.clear();
  }

 private:
  struct Grid {
    order::Passed done;                         // by it and by its descendants
    std::uint32_t number = order::Grids::none;  // that the order engine has given it
  };
  // A stream of the running grid.
  struct Stream {
    std::vector<GridId> last;
    std::uint64_t block = 0;  // the last one of those that have launched into it
  };

  Grid& of(GridId id) { return grids_[id - first_]; }

  Stream& stream_of(cudaStream_t stream, std::uint64_t block) {
    const bool is_default = is_legacy(stream) || meant(stream) == &per_thread_stream;
    return streams_[is_default ? std::pair(std::uint64_t{0}, block) : std::pair(stream->serial, std::uint64_t{0})];
  }
  void put_in_stream(ChildLaunch& child) {
    Stream& stream = stream_of(child.stream, child.parent_block);
    child.after = std::exchange(stream.last, {child.id});
    // So that it runs after them.
    stream.block = child.parent_block = std::max(stream.block, child.parent_block);
  }

  // If the order engine has not followed the parent, all that has run counts as what it knew.
  LaunchedBy launched_by(const ChildLaunch& child) {
    const Grid& parent = of(child.parent);
    if (parent.number == order::Grids::none) return {order::Grids::none, everything_};
    LaunchedBy by{parent.number, child.is_tail() ? parent.done : child.told};
    for (const GridId earlier : child.after) {
      // An event may be one of an earlier launch by the host.
      if (earlier >= first_) by.told.join(of(earlier).done);
    }
    return by;
  }
  void note_end(GridId id, const order::Passed& told, bool followed) {
    Grid& grid = of(id);
    grid.done = followed ? order::running->done() : told;
    grid.number = followed ? order::running->grids.running() : order::Grids::none;
    everything_.join(grid.done);
  }

  // Whether a launch comes after all that has run, and all others will come after it.
  static bool is_last(const ChildLaunch& child, const std::vector<ChildLaunch>& waiting) {
    return child.is_tail() && std::all_of(waiting.begin(), waiting.end(), [](const ChildLaunch& it) { return it.has_run || it.is_tail(); });
  }
  // Nothing that has run matters any more: tail launches may follow one another without end.
  void forget_order() {
    for (Grid& grid : grids_) grid = {};
    everything_ = {};
    order::end_launch();
  }

  // The order does not depend on which OS thread ran which block.
  void take(std::vector<ChildLaunch>& waiting, GridId parent) {
    streams_.clear();
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
      order.back()->parent = parent;
      waiting.push_back(std::move(*order.back()));
      order.pop_back();
    }
    launched_.clear();
  }

  std::mutex mutex_;
  std::vector<ChildLaunch> launched_;  // by the running grid
  std::map<std::pair<std::uint64_t, std::uint64_t>, Stream> streams_;  // by serial and, if that is 0, block
  unsigned depth_ = 0;                 // its nesting depth; 0 for launches by the host
  std::vector<Grid> grids_;            // from the last launch by the host on, which is the first
  GridId first_ = 0;
  order::Passed everything_;           // that has run
};

inline ChildQueue& child_queue() {
  static ChildQueue* const queue = new ChildQueue;
  return *queue;
}

HIRACE_RUNTIME std::vector<GridId> last_launches(cudaStream_t stream) { return child_queue().last_in(stream); }
HIRACE_RUNTIME void wait_for_launches(cudaStream_t stream, const std::vector<GridId>& launches) { child_queue().wait_in(stream, launches); }

}  // namespace hirace::cpu
