// The plain reads of a location that a later write may race with. A parameter may be read by every
// thread of a launch, so that finding a thread's own earlier read must not visit all.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "past.h"

namespace hirace::cpu::order {

class PlainReads {
 public:
  // Replaces the thread's earlier read of the same bytes, which is easier to follow. Of several at
  // one time, a report names the first.
  void add(const Past& read) {
    if (Past* const earlier = find(read)) {
      if (!(earlier->by.time == read.by.time)) *earlier = read;
      return;
    }
    all_.push_back(read);
    if (all_.size() == few + 1) {
      for (std::size_t at = 0; at < all_.size(); ++at) places_[key(all_[at])] = at;
    } else if (all_.size() > few) {
      places_[key(read)] = all_.size() - 1;
    }
  }

  template <class Condition>
  void remove_if(const Condition& condition) {
    const auto end = std::remove_if(all_.begin(), all_.end(), condition);
    if (end == all_.end()) return;
    all_.erase(end, all_.end());
    places_.clear();
    if (all_.size() <= few) return;
    for (std::size_t at = 0; at < all_.size(); ++at) places_[key(all_[at])] = at;
  }

  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  static constexpr std::size_t few = 16;

  // A location has less than 256 bytes on either side.
  static std::uint64_t key(const Past& read) {
    return std::uint64_t{read.by.thread.number} << 16 | static_cast<std::uint8_t>(read.access.first) << 8 | read.access.bytes;
  }

  Past* find(const Past& read) {
    if (all_.size() > few) {
      const auto found = places_.find(key(read));
      return found == places_.end() ? nullptr : &all_[found->second];
    }
    const auto same = [&](const Past& it) { return key(it) == key(read); };
    const auto found = std::find_if(all_.begin(), all_.end(), same);
    return found == all_.end() ? nullptr : &*found;
  }

  std::vector<Past> all_;
  // Where each is, if they are many.
  std::unordered_map<std::uint64_t, std::size_t> places_;
};

}  // namespace hirace::cpu::order
