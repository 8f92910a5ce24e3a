// The reads of a location that a later write may race with. A parameter may be read by every
// thread of a launch, so the reads of a warp are kept together: a mask of its lanes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "past.h"

namespace hirace::cpu::order {

class Reads {
 public:
  // Reads of one expression by threads of one block at one time, of up to 32 with consecutive numbers.
  struct Group {
    std::uint32_t first, lanes, block;  // a bit for each thread from the first one on
    Time time;
    Access access;

    Past of_lane(unsigned lane) const { return {{{first + lane, block}, time}, access, 0, 0}; }
  };

  // Replaces the thread's earlier read of the same bytes, which is easier to follow. Of several at
  // one time, a report names the first.
  void add(const Moment& by, const Access& access) {
    const std::uint32_t first = by.thread.number & ~31u, lane = 1u << (by.thread.number & 31u);
    const auto is_of_warp = [&](const Group& it) { return it.first == first && it.block == by.thread.block && is_same_kind(it.access, access); };
    for (std::size_t at = latest(first); at != none; at = before(at)) {
      Group& group = groups_[at];
      if ((group.lanes & lane) == 0 || !is_of_warp(group)) continue;
      if (group.time == by.time) return;
      group.lanes &= ~lane;
      if (group.lanes == 0) ++empty_;
      break;
    }
    if (!groups_.empty()) {
      // Lanes read one after the other.
      Group& last = groups_.back();
      if (last.time == by.time && last.access.site == access.site && is_of_warp(last)) {
        if (last.lanes == 0) --empty_;
        last.lanes |= lane;
        return;
      }
    }
    if (empty_ > few && empty_ > groups_.size() / 2) compact();
    push({first, lane, by.thread.block, by.time, access});
  }

  // The first read that satisfies a condition, among those of groups that satisfy another.
  template <class OfGroup, class OfRead>
  const Group* find(const OfGroup& may_hold, const OfRead& holds, unsigned& lane) const {
    for (const Group& group : groups_) {
      if (group.lanes == 0 || !may_hold(group)) continue;
      for (std::uint32_t rest = group.lanes; rest != 0; rest &= rest - 1) {
        lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (holds(group.of_lane(lane))) return &group;
      }
    }
    return nullptr;
  }

  template <class Condition>
  void remove_if(const Condition& condition) {
    for (Group& group : groups_) {
      for (std::uint32_t rest = group.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (condition(group.of_lane(lane))) group.lanes &= ~(1u << lane);
      }
    }
    compact();
  }
  // Removes what an access covers.
  void remove_covered(const Access& access) {
    for (Group& group : groups_) {
      if (access.covers(group.access)) group.lanes = 0;
    }
    compact();
  }

  // One of them.
  const Access& any() const { return groups_.back().access; }
  bool is_empty() const { return groups_.size() == empty_; }

 private:
  static bool is_same_kind(const Access& a, const Access& b) {
    return a.same_bytes(b) && a.strong() == b.strong() && (!a.strong() || a.how.scope == b.how.scope);
  }

  static constexpr std::size_t few = 16, none = ~std::size_t{0};

  // The groups of each warp as a chain, from the newest on.
  struct Chains {
    std::vector<std::size_t> before;
    std::unordered_map<std::uint32_t, std::size_t> latest;

    void add(const Group& group) {
      const std::size_t at = before.size();
      const auto [found, is_new] = latest.try_emplace(group.first, at);
      before.push_back(is_new ? none : found->second);
      found->second = at;
    }
  };

  // The newest group of a warp, or of all if they are few; and the one before a group.
  std::size_t latest(std::uint32_t first) const {
    if (chains_ == nullptr) return groups_.size() - 1;
    const auto found = chains_->latest.find(first);
    return found == chains_->latest.end() ? none : found->second;
  }
  std::size_t before(std::size_t at) const { return chains_ == nullptr ? at - 1 : chains_->before[at]; }

  void push(const Group& group) {
    groups_.push_back(group);
    if (chains_ != nullptr) return chains_->add(group);
    if (groups_.size() <= few) return;
    chains_ = std::make_unique<Chains>();
    for (const Group& each : groups_) chains_->add(each);
  }

  void compact() {
    std::vector<Group> kept;
    kept.swap(groups_);
    chains_ = nullptr;
    empty_ = 0;
    for (const Group& group : kept) {
      if (group.lanes != 0) push(group);
    }
  }

  std::vector<Group> groups_;
  std::size_t empty_ = 0;
  // Null if there are few groups.
  std::unique_ptr<Chains> chains_;
};

}  // namespace hirace::cpu::order
