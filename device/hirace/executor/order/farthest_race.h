// Which of several races at one access is reported.
#pragma once

#include "causes.h"

namespace hirace::cpu::order {

// Of several earlier accesses that one races with, the one by the farthest thread: what orders distant
// threads also orders those that are closer, so a report must be about it.
class FarthestRace {
 public:
  FarthestRace(const Causes& causes, Thread self) : causes_(causes), self_(self) {}

  bool is_exceeded_by(Thread other) const {
    return distance_ != Distance::grid && (!found || distance_ < causes_.between(self_, other));
  }
  // Whether any thread of a block exceeds it.
  bool may_be_exceeded_in(std::uint32_t block) const {
    return !found || distance_ < (block == self_.block ? Distance::block : Distance::grid);
  }
  void take(const PastAccess& past) {
    found = past;
    distance_ = causes_.between(self_, past.by.thread);
  }

  std::optional<PastAccess> found;

 private:
  const Causes& causes_;
  const Thread self_;
  Distance distance_ = Distance::none;
};

}  // namespace hirace::cpu::order
