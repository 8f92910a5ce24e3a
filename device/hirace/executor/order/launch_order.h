// The order engine of the running launch, if it has one: what the scheduler and the checker tell it.
//
// Such a launch runs on one OS thread.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>

#include "barriers.h"
#include "block_lives.h"
#include "engine.h"
#include "locations.h"

namespace hirace::cpu::order {

class LaunchOrder {
 public:
  LaunchOrder(std::uint32_t threads_of_block, std::uint32_t lanes_of_warp, bool tolerates_same_value)
      : engine(threads_of_block, lanes_of_warp), numbering(threads_of_block) {
    engine.tolerates_same_value = tolerates_same_value;
  }

  void begin_block(std::uint64_t block) { engine.begin_block(static_cast<std::uint32_t>(block)); }
  void end_block(std::uint64_t block) {
    engine.end_block(static_cast<std::uint32_t>(block));
    shared_.erase(static_cast<std::uint32_t>(block));
    last_shared_ = nullptr;
    const std::uint32_t first = numbering.thread(block, 0);
    for (auto it = committed_.lower_bound(first); it != committed_.end() && numbering.block_of(it->first) == block;) it = committed_.erase(it);
  }
  void block_barrier(std::uint64_t block) { engine.block_barrier(static_cast<std::uint32_t>(block)); }
  void launch_barrier() {
    engine.launch_barrier();
    lives.clear();
    global_.clear();
    shared_.clear();
    last_shared_ = nullptr;
  }

  Locations& global() { return global_; }
  // Shared memory of a block.
  Locations& shared(std::uint64_t block) {
    if (last_shared_ == nullptr || last_block_ != block) {
      last_shared_ = &shared_[static_cast<std::uint32_t>(block)];
      last_block_ = block;
    }
    return *last_shared_;
  }

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
  BlockLives lives;
  const Numbering numbering;
  // Its own beginning.
  const Time began = last_time;

 private:
  // The groups that a thread has committed and not waited for.
  std::map<std::uint32_t, std::vector<Knowledge>> committed_;
  Locations global_;
  std::unordered_map<std::uint32_t, Locations> shared_;
  Locations* last_shared_ = nullptr;
  std::uint64_t last_block_ = 0;
};

// Null if the state machine checks the launch, or nothing does.
inline std::unique_ptr<LaunchOrder> running;

inline void end_launch() {
  if (running == nullptr) return;
  node_pool().begin_drop();
  running = nullptr;
  node_pool().end_drop();
}

}  // namespace hirace::cpu::order
