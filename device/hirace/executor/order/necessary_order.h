// What comes before what in every schedule in which the threads read the same values.
//
// That is program order, barriers, and from each write to the reads of its value and from these to the
// next write – but not the order of the critical sections of a lock: whoever finds the lock free reads the
// same value, whether or not others have held it before (predictor.h).
#pragma once

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "past_access.h"

namespace hirace::cpu::order {

// A strong access that only read, which the thread may repeat until it reads another value.
struct Attempt {
  LocationId location;
  std::uint32_t site;
  Clock before;  // what the thread knew
};

// A thread, as far as all schedules have it in common.
class Follower {
 public:
  Thread self{};

  Time now() const { return now_; }
  const Clock& known() const { return known_; }

  bool knows(const Moment& moment) const {
    if (moment.thread.number == self.number) return true;
    if (moment.thread.block == self.block && moment.time < met_) return true;
    return known_.knows(moment.thread, moment.time);
  }

  // Everything until the next call of renew(), for others.
  const Clock& publish() {
    if (!has_published_) {
      published_ = known_;
      published_.learn(self.number, 1);
      has_published_ = true;
    }
    return published_;
  }
  // What follows is later than what was published.
  void renew() {
    now_ = ++last_time;
    has_published_ = false;
  }

  // Returns whether that was news.
  bool learn(const Clock& clock) {
    if (clock.is_empty()) return false;
    const Clock before = known_;
    known_.join(clock);
    if (known_.is_same(before)) return false;
    renew();
    return true;
  }

  // It has passed a barrier, with these others.
  void meet(const Clock& all, Time now) {
    known_ = all;
    now_ = now;
    has_published_ = false;
    attempts_.clear();
  }
  void meet_block(const Clock& all, Time now) {
    meet(all, now);
    met_ = now;
  }

  // Its strong accesses since the first attempt at the same place were in vain: nothing depends on what
  // they read. Returns whether there was one.
  bool retry(LocationId location, std::uint32_t site) {
    return give_up([&](const Attempt& it) { return it.location == location && it.site == site; });
  }
  // It has taken a lock. Whatever it has seen there before, it would also have taken it at once.
  bool succeed(LocationId location) {
    return give_up([&](const Attempt& it) { return it.location == location; });
  }
  void attempt(LocationId location, std::uint32_t site) {
    if (attempts_.size() == max_attempts) attempts_.clear();
    attempts_.push_back({location, site, known_});
  }
  // It has done something else.
  void end_attempts() { attempts_.clear(); }

 private:
  template <class Condition>
  bool give_up(const Condition& is_first) {
    const auto first = std::find_if(attempts_.begin(), attempts_.end(), is_first);
    if (first == attempts_.end()) return false;
    known_ = first->before;
    attempts_.erase(first, attempts_.end());
    renew();
    return true;
  }

  static constexpr std::size_t max_attempts = 32;

  Clock known_, published_;
  Time now_ = last_time, met_ = 0;
  bool has_published_ = false;
  std::vector<Attempt> attempts_;
};

// The threads of the blocks that run.
class Followers {
 public:
  explicit Followers(Numbering numbering) : numbering_(numbering) {}

  void begin_block(std::uint32_t block, std::uint32_t threads) {
    std::vector<Follower>& all = blocks_[block];
    all.resize(threads);
    for (std::uint32_t place = 0; place < all.size(); ++place) all[place].self = {numbering_.thread(block, place), block};
  }
  void end_block(std::uint32_t block) { blocks_.erase(block); }

  bool runs(Thread thread) const { return blocks_.count(thread.block) != 0; }
  std::vector<Follower>& block(std::uint32_t block) { return blocks_[block]; }
  Follower& at(std::uint32_t thread) { return blocks_[numbering_.block_of(thread)][numbering_.place(thread)]; }

  // All threads pass a barrier of the launch.
  void restart() {
    for (auto& [number, all] : blocks_) {
      for (Follower& follower : all) follower.meet({}, last_time);
    }
  }

 private:
  const Numbering numbering_;
  std::unordered_map<std::uint32_t, std::vector<Follower>> blocks_;
};

}  // namespace hirace::cpu::order
