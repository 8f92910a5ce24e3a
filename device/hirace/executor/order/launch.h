// The order engine of the running launch, if it has one: what the scheduler and the checker tell it.
//
// Such a launch runs on one OS thread.
#pragma once

#include <memory>
#include <unordered_map>

#include "barriers.h"
#include "engine.h"
#include "locations.h"

namespace hirace::cpu::order {

class Launch {
 public:
  explicit Launch(std::uint32_t threads_of_block) : engine(threads_of_block), threads_of_block_(threads_of_block) {}

  std::uint32_t thread(std::uint64_t block, std::uint32_t thread_of_block) const {
    return static_cast<std::uint32_t>(block) * 2 * threads_of_block_ + thread_of_block;
  }
  std::uint32_t threads_of_block() const { return threads_of_block_; }

  void begin_block(std::uint64_t block) { engine.begin_block(static_cast<std::uint32_t>(block)); }
  void end_block(std::uint64_t block) {
    engine.end_block(static_cast<std::uint32_t>(block));
    shared_.erase(static_cast<std::uint32_t>(block));
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
  void commit_copies(std::uint32_t thread) { committed_[thread].push_back(engine.arrive(engine.begin_copy(thread))); }
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

 private:
  std::uint32_t threads_of_block_;
  // The groups that a thread has committed and not waited for.
  std::unordered_map<std::uint32_t, std::vector<Knowledge>> committed_;
  Locations global_;
  std::unordered_map<std::uint32_t, Locations> shared_;
};

// Null if the state machine checks the launch, or nothing does.
inline std::unique_ptr<Launch> running;

}  // namespace hirace::cpu::order
