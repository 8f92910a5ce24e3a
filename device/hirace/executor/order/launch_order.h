// The order engine of the running launch, if it has one: what the scheduler and the checker tell it. If
// kernels of the program launch others, it follows these, too (grids.h).
//
// Such a launch runs on one OS thread. The scheduler numbers blocks within their grid; `first_block` is the
// engine's number of the first one.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>

#include "barriers.h"
#include "block_lives.h"
#include "engine.h"
#include "grids.h"
#include "locations.h"
#include "predictor.h"
#include "recent_reads.h"
#include "waits_for_launch.h"

namespace hirace::cpu::order {

class LaunchOrder {
 public:
  // The blocks of the launch and the threads of a block; at most, of a family of grids together.
  struct Extent {
    std::uint64_t blocks;
    std::uint32_t threads;
    bool is_family;
  };

  LaunchOrder(const Extent& of, std::uint32_t lanes_of_warp, bool tolerates_same_value, bool predicts)
      : engine(of.threads, lanes_of_warp), extent(of), numbering(of.threads) {
    engine.tolerates_same_value = tolerates_same_value;
    if (predicts) predictor = std::make_unique<Predictor>(numbering);
  }

  // Whether it can follow another grid with so many blocks.
  bool has_room(std::uint64_t blocks) const { return blocks <= extent.blocks - grids.next_block(); }

  // The next grid begins, with so many threads in a block, which know what `told` says.
  void begin_grid(std::uint32_t kernel, std::uint64_t blocks, std::uint32_t threads, std::uint32_t parent, const Passed& told) {
    grids.begin(kernel, static_cast<std::uint32_t>(blocks), parent);
    first_block = grids[grids.running()].first_block;
    threads_ = threads;
    told_ = told;
    done_ = told;
  }
  // What the grid has done, once it has ended.
  const Passed& done() const { return done_; }
  // What a thread passes on to a grid that it launches now.
  Passed launches(std::uint32_t thread) {
    return {engine.publish(thread), predictor != nullptr ? predictor->publish(thread) : Knowledge()};
  }

  void begin_block(std::uint64_t in_grid) {
    const std::uint32_t block = number(in_grid);
    engine.begin_block(block, threads_, told_.known);
    if (predictor != nullptr) predictor->begin_block(block, threads_, told_.predicted);
  }
  void end_block(std::uint64_t in_grid) {
    const std::uint32_t block = number(in_grid);
    if (extent.is_family) note_done(block);
    engine.end_block(block);
    if (predictor != nullptr) predictor->end_block(block);
    shared_.erase(block);
    last_shared_ = nullptr;
    const std::uint32_t first = numbering.thread(block, 0);
    dependency_waits_.end_block(block);
    for (auto it = committed_.lower_bound(first); it != committed_.end() && numbering.block_of(it->first) == block;) it = committed_.erase(it);
  }
  void block_barrier(std::uint64_t in_grid) {
    const std::uint32_t block = number(in_grid);
    engine.block_barrier(block);
    if (predictor != nullptr) predictor->block_barrier(block);
  }
  void meet(std::uint32_t first, std::uint32_t lanes) {
    engine.meet(first, lanes);
    if (predictor != nullptr) predictor->meet(first, lanes);
  }
  void fence(std::uint32_t thread, Scope scope, bool sequential) {
    engine.fence(thread, scope, sequential);
    if (predictor != nullptr) predictor->fence(thread, scope);
  }
  void half_fence(std::uint32_t thread, Scope scope, bool acquires) {
    engine.half_fence(thread, scope, acquires);
    if (predictor != nullptr && acquires) predictor->fence(thread, scope);
  }
  // All threads of the grid pass a barrier.
  void launch_barrier() {
    if (extent.is_family) {
      engine.launch_barrier(done_.known);
    } else {
      engine.launch_barrier();
      global_.clear();
    }
    if (predictor != nullptr) predictor->launch_barrier();
    lives.clear();
    recent_reads.clear();
    shared_.clear();
    last_shared_ = nullptr;
  }

  // The number of a block of the running grid, and of a thread there.
  std::uint32_t number(std::uint64_t in_grid) const { return first_block + static_cast<std::uint32_t>(in_grid); }
  std::uint32_t thread(std::uint64_t in_grid, std::uint32_t place) const { return numbering.thread(number(in_grid), place); }

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
  void commit_copies(std::uint32_t thread, Copier by) {
    std::vector<Knowledge>& groups = committed_[numbering.copier(thread, by)];
    groups.push_back(engine.publish(engine.begin_copy(thread, by)));
    if (!holds(Rule::only_waits_learn_of_copies)) engine.wait(thread, groups.back());
  }
  // It waits for all groups but the last `pending`.
  void wait_for_copies(std::uint32_t thread, std::size_t pending, Copier by) {
    std::vector<Knowledge>& groups = committed_[numbering.copier(thread, by)];
    if (!holds(Rule::wait_leaves_groups_pending)) pending = 0;
    if (groups.size() <= pending) return;
    // The copies of a thread are in order.
    const auto done = groups.end() - static_cast<std::ptrdiff_t>(pending);
    engine.wait(thread, *(done - 1));
    groups.erase(groups.begin(), done);
  }

  // A thread waits for the launch before its own in the stream.
  void note_dependency_wait(std::uint32_t thread) { dependency_waits_.add(numbering.block_of(thread), engine.moment(thread)); }
  // Whether what a thread does next comes after such a wait, perhaps by another thread.
  bool follows_dependency_wait(std::uint32_t thread) {
    return dependency_waits_.any([&](const Moment& wait) { return engine.knows(thread, wait); });
  }

  // Barriers with arrivals and waits of their own. The predictor follows them, too.
  void begin_barrier(const void* barrier) {
    barriers_.begin(barrier);
    if (predictor != nullptr) predicted_barriers_.begin(barrier);
  }
  void arrive(const void* barrier, std::uint32_t thread, Order order, Scope scope, Copier by, std::uint32_t site) {
    const std::uint32_t block = numbering.block_of(thread);
    const std::uint32_t who = by != Copier::none && holds(Rule::copies_arrive_with_what_they_did) ? engine.begin_copy(thread, by) : thread;
    const Arrival arrival{engine.moment(who), site, barrier};
    engine.note_arrival(who, barrier);
    if (releases(order)) {
      barriers_.arrive(barrier, block, scope, engine.publish(who), arrival);
    } else {
      barriers_.arrive(barrier, block, scope, engine.patterns(who).fenced, arrival);
    }
    if (predictor != nullptr) predicted_barriers_.arrive(barrier, block, scope, predictor->publish(thread), arrival);
  }
  // A thread runs the completion function of the present phase.
  void wait_for_arrivals(const void* barrier, std::uint32_t thread, Scope scope) {
    const std::uint32_t block = numbering.block_of(thread);
    engine.wait(thread, barriers_.arrived(barrier, block, scope));
    // Its own arrival was the last one.
    const auto arrivals = barriers_.arriving(barrier);
    engine.note_wait(thread, {arrivals, arrivals->empty() ? 0u : arrivals->back().site});
    if (predictor != nullptr) predictor->wait(thread, predicted_barriers_.arrived(barrier, block, scope));
  }
  void complete(const void* barrier, std::uint32_t phase) {
    barriers_.complete(barrier, phase);
    if (predictor != nullptr) predicted_barriers_.complete(barrier, phase);
  }
  void wait(const void* barrier, std::uint32_t phase, std::uint32_t thread, Order order, Scope scope, std::uint32_t site) {
    const std::uint32_t block = numbering.block_of(thread);
    const Knowledge known = barriers_.waited(barrier, phase, block, scope);
    if (acquires(order)) {
      engine.wait(thread, known);
    } else {
      ScopedKnowledge& seen = engine.patterns(thread).seen;
      join(seen.block, barriers_.waited(barrier, phase, block, Scope::block));
      join(seen.device, known);
    }
    engine.note_wait(thread, {barriers_.arrivals(barrier, phase), site});
    if (predictor != nullptr) predictor->wait(thread, predicted_barriers_.waited(barrier, phase, block, scope));
  }

  Engine engine;
  // Null unless races of other schedules are asked for.
  std::unique_ptr<Predictor> predictor;
  BlockLives lives;
  RecentReads recent_reads;
  const Extent extent;
  const Numbering numbering;
  // Its own beginning.
  const Time began = last_time;
  Grids grids;
  std::uint32_t first_block = 0;

 private:
  void note_done(std::uint32_t block) {
    Passed all{engine.all_of(block), {}};
    if (predictor != nullptr) {
      predictor->block_barrier(block);
      all.predicted = predictor->publish(numbering.thread(block, 0));
    }
    done_.join(all);
  }

  std::uint32_t threads_ = 0;  // of a block of the running grid
  Passed told_, done_;
  // The groups that a thread has committed and not waited for.
  std::map<std::uint32_t, std::vector<Knowledge>> committed_;
  Barriers barriers_, predicted_barriers_;
  WaitsForLaunch dependency_waits_;
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
