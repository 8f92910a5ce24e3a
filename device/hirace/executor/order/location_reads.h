// The reads of a location that a later write may race with. A parameter may be read by every
// thread of a launch, so the reads of a warp are kept together: a mask of its lanes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "past_access.h"
#include "small_vector.h"

namespace hirace::cpu::order {

class Reads {
 public:
  Reads() = default;
  Reads(const Reads& other) : groups_(other.groups_) { compact(); }
  Reads& operator=(const Reads&) = delete;

  // Reads of one expression by threads of one block at one time, of up to 32 with consecutive numbers.
  struct Group {
    std::uint32_t first, lanes, block;  // a bit for each thread from the first one on
    Time time;
    Access access;
    std::uint32_t before;  // the last group of these threads before this one

    PastAccess of_lane(unsigned lane) const { return {{{first + lane, block}, time}, access, 0, 0}; }
  };

  // Replaces the thread's earlier read of the same bytes, which is easier to follow. Of several at
  // one time, a report names the first.
  void add(const Moment& by, const Access& access) {
    if (joins_last(by, access)) return;
    if (remove_earlier(latest(first_of(by)), by, access)) return;
    // A thread that reads again soon takes its group with it.
    if (!groups_.empty() && groups_.back().lanes == 0 && groups_.back().first == first_of(by)) {
      groups_.back() = {first_of(by), lane_of(by), by.thread.block, by.time, access, groups_.back().before};
      --empty_;
      return;
    }
    if (empty_ > few && empty_ > groups_.size() / 2) compact();
    push({first_of(by), lane_of(by), by.thread.block, by.time, access, none});
  }

  // The same, if the last read that was added was one of the same expression, time and warp, as those
  // of lanes are that read one after the other. False if not.
  bool joins_last(const Moment& by, const Access& access) {
    if (groups_.empty()) return false;
    Group& group = groups_.back();
    if (group.time != by.time || group.access.site != access.site || !is_of_warp(group, by, access)) return false;
    const std::uint32_t lane = lane_of(by);
    if ((group.lanes & lane) != 0 || remove_earlier(group.before, by, access)) return true;
    if (group.lanes == 0) --empty_;
    group.lanes |= lane;
    return true;
  }

  // The group of the last read, if its threads have made no other reads; or null.
  Group* last_alone() { return groups_.back().before == none ? &groups_.back() : nullptr; }

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

  // The location begins so many bytes later.
  void move(int later) {
    for (Group& group : groups_) group.access = group.access.from(later);
  }

  bool is_empty() const { return groups_.size() == empty_; }

 private:
  static std::uint32_t first_of(const Moment& by) { return by.thread.number & ~31u; }
  static std::uint32_t lane_of(const Moment& by) { return 1u << (by.thread.number & 31u); }
  static bool is_of_warp(const Group& group, const Moment& by, const Access& access) {
    return group.first == first_of(by) && group.block == by.thread.block && is_same_kind(group.access, access);
  }

  // Removes the thread's earlier read, from a group on. True if it was made at the same time.
  bool remove_earlier(std::uint32_t newest, const Moment& by, const Access& access) {
    for (std::uint32_t at = newest; at != none; at = groups_[at].before) {
      Group& group = groups_[at];
      if ((group.lanes & lane_of(by)) == 0 || !is_of_warp(group, by, access)) continue;
      if (group.time == by.time) return true;
      group.lanes &= ~lane_of(by);
      if (group.lanes == 0) ++empty_;
      return false;
    }
    return false;
  }

  static bool is_same_kind(const Access& a, const Access& b) {
    return a.same_bytes(b) && a.strong() == b.strong() && (!a.strong() || a.how.scope == b.how.scope);
  }

  static constexpr std::size_t few = 16;
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::uint32_t last() const { return static_cast<std::uint32_t>(groups_.size()) - 1; }

  // The newest group of some threads, or of those before one.
  std::uint32_t latest(std::uint32_t first) const { return slots_ == nullptr ? latest(first, static_cast<std::uint32_t>(groups_.size())) : (*slots_)[slot_of(first)]; }
  std::uint32_t latest(std::uint32_t first, std::uint32_t end) const {
    std::uint32_t at = end - 1;
    while (at != none && groups_[at].first != first) --at;
    return at;
  }

  void push(Group group) {
    group.before = latest(group.first);
    groups_.push_back(group);
    if (groups_.size() <= few) return;
    if (slots_ == nullptr || 2 * groups_.size() > slots_->size()) {
      fill_slots();
    } else {
      (*slots_)[slot_of(group.first)] = last();
    }
  }

  // Also links the groups of the same threads.
  void fill_slots() {
    slots_ = std::make_unique<std::vector<std::uint32_t>>(4 * groups_.size(), none);
    for (std::uint32_t at = 0; at < groups_.size(); ++at) {
      std::uint32_t& slot = (*slots_)[slot_of(groups_[at].first)];
      groups_[at].before = slot;
      slot = at;
    }
  }

  // The slot of the threads from one on, or an empty one: by linear probing.
  std::size_t slot_of(std::uint32_t first) const {
    const std::uint64_t mixed = std::uint64_t{first / 32} * 0x9e3779b97f4a7c15u >> 32;
    const std::vector<std::uint32_t>& slots = *slots_;
    std::size_t slot = mixed * slots.size() >> 32;
    while (slots[slot] != none && groups_[slots[slot]].first != first) slot = slot + 1 < slots.size() ? slot + 1 : 0;
    return slot;
  }

  void compact() {
    groups_.remove_if([](const Group& group) { return group.lanes == 0; });
    empty_ = 0;
    slots_ = nullptr;
    if (groups_.size() > few) return fill_slots();
    for (std::uint32_t at = 0; at < groups_.size(); ++at) groups_[at].before = latest(groups_[at].first, at);
  }

  SmallVector<Group, 1> groups_;
  std::uint32_t empty_ = 0;
  // The newest groups, by their threads; null if there are few.
  std::unique_ptr<std::vector<std::uint32_t>> slots_;
};

}  // namespace hirace::cpu::order
