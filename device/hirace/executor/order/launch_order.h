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
#include "predictor.h"
#include "recent_reads.h"

namespace hirace::cpu::order {

class LaunchOrder {
 public:
  LaunchOrder(std::uint32_t threads_of_block, std::uint32_t lanes_of_warp, bool tolerates_same_value, bool predicts)
      : engine(threads_of_block, lanes_of_warp), numbering(threads_of_block) {
    engine.tolerates_same_value = tolerates_same_value;
    if (predicts) predictor = std::make_unique<Predictor>(numbering);
  }

  void begin_block(std::uint64_t block) {
    engine.begin_block(static_cast<std::uint32_t>(block));
    if (predictor != nullptr) predictor->begin_block(static_cast<std::uint32_t>(block));
  }
  void end_block(std::uint64_t block) {
    engine.end_block(static_cast<std::uint32_t>(block));
    if (predictor != nullptr) predictor->end_block(static_cast<std::uint32_t>(block));
    shared_.erase(static_cast<std::uint32_t>(block));
    last_shared_ = nullptr;
    const std::uint32_t first = numbering.thread(block, 0);
    for (auto it = committed_.lower_bound(first); it != committed_.end() && numbering.block_of(it->first) == block;) it = committed_.erase(it);
  }
  void block_barrier(std::uint64_t block) {
    engine.block_barrier(static_cast<std::uint32_t>(block));
    if (predictor != nullptr) predictor->block_barrier(static_cast<std::uint32_t>(block));
  }
  void meet(std::uint32_t first, std::uint32_t lanes) {
    engine.meet(first, lanes);
    if (predictor != nullptr) predictor->meet(first, lanes);
  }
  void fence(std::uint32_t thread, Scope scope, bool sequential) {
    engine.fence(thread, scope, sequential);
    if (predictor != nullptr) predictor->fence(thread, scope);
  }
  void launch_barrier() {
    engine.launch_barrier();
    if (predictor != nullptr) predictor->launch_barrier();
    lives.clear();
    recent_reads.clear();
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

  // Barriers with arrivals and waits of their own. The predictor follows them, too.
  void begin_barrier(const void* barrier) {
    barriers_.begin(barrier);
    if (predictor != nullptr) predicted_barriers_.begin(barrier);
  }
  void arrive(const void* barrier, std::uint32_t thread, Scope scope, bool copies) {
    const std::uint32_t block = numbering.block_of(thread);
    barriers_.arrive(barrier, block, scope, engine.publish(copies ? engine.begin_copy(thread) : thread));
    if (predictor != nullptr) predicted_barriers_.arrive(barrier, block, scope, predictor->publish(thread));
  }
  // A thread runs the completion function of the present phase.
  void wait_for_arrivals(const void* barrier, std::uint32_t thread, Scope scope) {
    const std::uint32_t block = numbering.block_of(thread);
    engine.wait(thread, barriers_.arrived(barrier, block, scope));
    if (predictor != nullptr) predictor->wait(thread, predicted_barriers_.arrived(barrier, block, scope));
  }
  void complete(const void* barrier, std::uint32_t phase) {
    barriers_.complete(barrier, phase);
    if (predictor != nullptr) predicted_barriers_.complete(barrier, phase);
  }
  void wait(const void* barrier, std::uint32_t phase, std::uint32_t thread, Scope scope) {
    const std::uint32_t block = numbering.block_of(thread);
    engine.wait(thread, barriers_.waited(barrier, phase, block, scope));
    if (predictor != nullptr) predictor->wait(thread, predicted_barriers_.waited(barrier, phase, block, scope));
  }

  Engine engine;
  // Null unless races of other schedules are asked for.
  std::unique_ptr<Predictor> predictor;
  BlockLives lives;
  RecentReads recent_reads;
  const Numbering numbering;
  // Its own beginning.
  const Time began = last_time;

 private:
  // The groups that a thread has committed and not waited for.
  std::map<std::uint32_t, std::vector<Knowledge>> committed_;
  Barriers barriers_, predicted_barriers_;
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
