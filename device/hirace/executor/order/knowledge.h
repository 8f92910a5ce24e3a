// What comes before a thread's next operation, as it is passed on by releases, fences and barriers.
//
// Beside a clock, that is what the fence.sc operations among it know. Two morally strong fence.sc have
// an order (PTX ISA, "Fence-SC"), but an execution rarely says which: it only does if operations
// around them communicate. So the second one learns what the first one knew only if an operation that
// the first precedes comes before, in reads-from, coherence or from-reads order, an operation that
// precedes the second (Engine::communicate). All other orders are possible, and two accesses race if
// they do in one of them.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "operation.h"

namespace hirace::cpu::order {

// What is known by whom it reaches. Two operations must be morally strong: those of a block reach each
// other with any scope, those of different blocks only if both scopes are at least that of the device.
template <class Known>
struct Reach {
  Known device;
  std::vector<std::pair<std::uint32_t, Known>> blocks;

  Known& of_block(std::uint32_t block) {
    for (auto& entry : blocks) {
      if (entry.first == block) return entry.second;
    }
    return blocks.emplace_back(block, Known()).second;
  }
  Known in_block(std::uint32_t block) const {
    for (const auto& entry : blocks) {
      if (entry.first == block) return entry.second;
    }
    return {};
  }

  // Leaves out blocks that have ended: none of their threads will ask. Looks only now and then.
  template <class Runs>
  void keep(const Runs& runs) {
    if (!is_time_to_look()) return;
    blocks.erase(std::remove_if(blocks.begin(), blocks.end(), [&](const auto& it) { return !runs(it.first); }), blocks.end());
  }
  bool is_time_to_look() const { return blocks.size() % 32 == 31; }
};

// What fence.sc operations know. Empty in programs that have none.
class FenceClocks {
 public:
  FenceClocks() = default;
  // Those of one fence by a thread of `block`.
  FenceClocks(const Clock& known, std::uint32_t block, Scope scope) {
    Reach<Clock> all;
    all.of_block(block) = known;
    if (scope != Scope::block) all.device = known;
    clocks_ = std::make_shared<const Reach<Clock>>(std::move(all));
  }

  void join(const FenceClocks& other) {
    if (clocks_ == other.clocks_ || other.clocks_ == nullptr) return;
    if (clocks_ == nullptr) {
      clocks_ = other.clocks_;
      return;
    }
    Reach<Clock> all = *clocks_;
    all.device.join(other.clocks_->device);
    bool same = all.device.is_same(clocks_->device);
    for (const auto& [block, clock] : other.clocks_->blocks) {
      const Clock before = all.in_block(block);
      Clock& now = all.of_block(block);
      now.join(clock);
      same = same && now.is_same(before);
    }
    if (!same) clocks_ = std::make_shared<const Reach<Clock>>(std::move(all));
  }

  // What reaches a fence of this scope in this block.
  Clock reaching(std::uint32_t block, Scope scope) const {
    if (clocks_ == nullptr) return {};
    Clock all = clocks_->in_block(block);
    if (scope != Scope::block) all.join(clocks_->device);
    return all;
  }

  template <class Runs>
  void keep(const Runs& runs) {
    if (clocks_ == nullptr || !clocks_->is_time_to_look()) return;
    Reach<Clock> all = *clocks_;
    all.keep(runs);
    clocks_ = std::make_shared<const Reach<Clock>>(std::move(all));
  }

 private:
  std::shared_ptr<const Reach<Clock>> clocks_;
};

struct Knowledge : Clock {
  // Of the fence.sc operations that come before, and of those that the next fence.sc must follow.
  FenceClocks fences, communicated;

  void join(const Knowledge& other) {
    Clock::join(other);
    fences.join(other.fences);
    communicated.join(other.communicated);
  }
};

inline void join(Knowledge& into, const Knowledge& from) { into.join(from); }

}  // namespace hirace::cpu::order
