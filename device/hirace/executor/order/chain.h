// Who has made a value by atomic operations, one on another: what explains why accesses of those who
// read it race (causes.h).
//
// Nothing here decides whether there is a race.
#pragma once

#include <memory>
#include <vector>

#include "past_access.h"

namespace hirace::cpu::order {

// Up to which time of its thread a write releases what that has done: to its block, and to the device.
// 0 if it is no release.
struct ReleasedUntil {
  Time block = 0, device = 0;
};

struct ChainWrite {
  Moment by;
  std::uint32_t site;
  ReleasedUntil released;

  bool releases_to(std::uint32_t block) const { return (block == by.thread.block ? released.block : released.device) != 0; }
};

// The writes of a chain but the last one.
class Chain {
 public:
  void add(const ChainWrite& write) {
    // A thread that polls by atomic operations would make others forgotten.
    const bool repeats = made_ > shown_ && last().by.thread.number == write.by.thread.number && last().site == write.site;
    if (!repeats && writes_.size() < kept) writes_.emplace_back();
    if (!repeats) ++made_;
    last() = write;
  }

  // How many there are. These will not change.
  std::uint64_t show() { return shown_ = made_; }

  // The last write among the first `count` that satisfies a condition, or null.
  template <class Condition>
  const ChainWrite* find(std::uint64_t count, const Condition& holds) const {
    const std::uint64_t gone = made_ > kept ? made_ - kept : 0;
    for (std::uint64_t at = count; at > gone; --at) {
      const ChainWrite& write = writes_[(at - 1) % kept];
      if (holds(write)) return &write;
    }
    return nullptr;
  }

 private:
  ChainWrite& last() { return writes_[(made_ - 1) % kept]; }

  static constexpr std::size_t kept = 64;

  std::vector<ChainWrite> writes_;
  std::uint64_t made_ = 0, shown_ = 0;
};

// A chain as it was.
struct ChainView {
  std::shared_ptr<Chain> chain;
  std::uint64_t count = 0;

  template <class Condition>
  const ChainWrite* find(const Condition& holds) const {
    return chain != nullptr ? chain->find(count, holds) : nullptr;
  }
};

}  // namespace hirace::cpu::order
