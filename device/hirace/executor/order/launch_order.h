// The order engine of the running launch, if it has one: what the scheduler and the checker tell it.
//
// Such a launch runs on one OS thread.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>

#include "barriers.h"
#include "engine.h"
#include "locations.h"

namespace hirace::cpu::order {

class LaunchOrder {
 public:
  LaunchOrder(std::uint32_t threads_of_block, std::uint32_t lanes_of_warp)
      : engine(threads_of_block, lanes_of_warp), numbering(threads_of_block) {}

  void begin_block(std::uint64_t block) { engine.begin_block(static_cast<std::uint32_t>(block)); }
  void end_block(std::uint64_t block) {
    engine.end_block(static_cast<std::uint32_t>(block));
    shared_.erase(static_cast<std::uint32_t>(block));
    const std::uint32_t first = numbering.thread(block, 0);
    for (auto it = committed_.lower_bound(first); it != committed_.end() && numbering.block_of(it->first) == block;) it = committed_.erase(it);
  }
  void block_barrier(std::uint64_t block) { engine.block_barrier(static_cast<std::uint32_t>(block)); }
  void launch_barrier() {
    engine.launch_barrier();
    global_.clear();
    shared_.clear();
  }

  Location& global(std::size_t granule) { return global_.at(granule); }
  // Shared memory of a block.
  Location& shared(std::uint64_t block, std::size_t granule) { return shared_[static_cast<std::uint32_t>(block)].at(granule); }
  void forget(std::size_t first, std::size_t end) { global_.forget(first, end); }

  // A thread commits the copies that it has issued: later waits count such groups.
  void commit_copies(std::uint32_t thread) { committed_[thread].push_back(engine.publish(engine.begin_copy(thread))); }
  // It waits for all groups but the last `pending`.
  void wait_for_copies(std::uint32_t thread, std::size_t pending) {
    std::vector<Knowledge>& groups = committed_[thread];
    if (groups.size() <= pending) return;
    // The copies of a thread are in order.
    const auto done = groups.end() - static_cast<std::ptrdiff_t>(pending);
    engine.wait(thread, *(done - 1));
    groups.erase(groups.begin(), done);
  }

  Engine engine;
  Barriers barriers;
  const Numbering numbering;

 private:
  // The groups that a thread has committed and not waited for.
  std::map<std::uint32_t, std::vector<Knowledge>> committed_;
  Locations global_;
  std::unordered_map<std::uint32_t, Locations> shared_;
};

// Null if the state machine checks the launch, or nothing does.
inline std::unique_ptr<LaunchOrder> running;

}  // namespace hirace::cpu::order
