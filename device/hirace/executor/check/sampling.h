// Which launches and blocks are checked (checker/sample.h), and for how long.
//
// The others run, unchecked. That invents no race: words of shadow that a launch has not written are those of
// earlier launches, and each launch begins a new epoch; within a launch, the races of some accesses are found
// whatever else is left out, because operations that order accesses are followed in all blocks; unwritten
// memory is known by its contents (fresh_memory.h). Only the host may learn from a value that an unchecked
// kernel writes, so it counts as having waited for such a kernel (leave_unchecked in launcher.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "../../checker/options.h"

namespace hirace::cpu {

class Sampling {
 public:
  using Clock = std::chrono::steady_clock;

  bool active() const { return !rules_.all(); }

  // Another launch of a kernel begins. Whether it is checked; `chosen`: unless it is left out, it would be.
  bool begin(std::uint32_t kernel, bool chosen) {
    running_ = nullptr;
    if (!active() || !chosen) return true;
    if (kernel >= kernels_.size()) kernels_.resize(kernel + 1);
    running_ = &kernels_[kernel];
    number_ = running_->launches++;
    began_ = Clock::now();
    const bool taken = !running_->over && rules_.launches.takes(number_);
    timed_ = taken && rules_.seconds != 0;
    return taken;
  }

  // Whether a block of it is. Neighbours are taken together, since they are likely to race, and other ones in
  // each launch.
  bool takes(std::uint64_t block) const {
    constexpr std::uint64_t neighbours = 4;
    return rules_.blocks.all() || rules_.blocks.takes(block / neighbours + number_);
  }
  bool takes_all_blocks() const { return rules_.blocks.all(); }

  // Whether checks of the running launch have a time limit, and have reached it: a kernel has had its share
  // once its checks have taken as long as all others may still take, and at least a small part of the time. So
  // every kernel gets some, and all together do not take much more than the limit.
  bool timed() const { return timed_; }
  bool is_over() const {
    const double now = seconds_since_begin(), own = running_->seconds + now;
    return own > rules_.seconds * least_share && own > rules_.seconds - seconds_ - now;
  }

  // The launch has ended. Returns whether no further one of its kernel is checked.
  bool end(bool over) {
    if (!timed_) return running_ != nullptr && running_->over;
    over = over || is_over();
    const double seconds = seconds_since_begin();
    running_->seconds += seconds;
    seconds_ += seconds;
    running_->over = running_->over || over;
    timed_ = false;
    return over;
  }

 private:
  static constexpr double least_share = 1.0 / 32;

  struct Kernel {
    std::uint64_t launches = 0;
    double seconds = 0;
    bool over = false;
  };

  double seconds_since_begin() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  const Sample rules_ = options().sample;
  std::vector<Kernel> kernels_;
  Kernel* running_ = nullptr;
  std::uint64_t number_ = 0;  // of the launch, among those of its kernel
  bool timed_ = false;
  Clock::time_point began_;
  double seconds_ = 0;  // of all checked launches
};

inline Sampling& sampling() {
  static Sampling* const the_sampling = new Sampling;
  return *the_sampling;
}

}  // namespace hirace::cpu
