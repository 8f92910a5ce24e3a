// Which threads have waited for the launch before theirs in the stream (cudaGridDependencySynchronize), and
// when. What comes after a wait in causality order follows that launch (CUDA C++ Programming Guide,
// "Programmatic Dependent Launch and Synchronization").
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "clock.h"
#include "past_access.h"

namespace hirace::cpu::order {

class WaitsForLaunch {
 public:
  void add(std::uint32_t block, const Moment& wait) { of_block_[block].push_back(wait); }

  // Whether a wait satisfies a condition.
  template <class Condition>
  bool any(const Condition& holds) const {
    return std::any_of(of_block_.begin(), of_block_.end(),
                       [&](const auto& block) { return std::any_of(block.second.begin(), block.second.end(), holds); });
  }

  // Of a block that has ended, one wait is kept: what other blocks learn from it comes after most of its waits.
  void end_block(std::uint32_t block) {
    const auto found = of_block_.find(block);
    if (found != of_block_.end()) found->second.resize(1);
  }

 private:
  std::unordered_map<std::uint32_t, std::vector<Moment>> of_block_;
};

}  // namespace hirace::cpu::order
