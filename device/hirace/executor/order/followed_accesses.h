// What the predictor (predictor.h) remembers of a location: its last accesses, and what decides whether
// one of them matters to another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <unordered_map>
#include <vector>

#include "../../records/site_table.h"
#include "critical_sections.h"
#include "necessary_order.h"

namespace hirace::cpu::order {

// An access as the engine was told of it.
struct SeenAccess {
  std::uint32_t thread;  // who makes it; the issuer of a copy
  Moment by;             // the same for the engine: perhaps a copier
  Access access;
  std::uintptr_t address;  // of its first byte in the location
  std::uint32_t bytes;     // so many of its bytes are in the location
  bool of_block;           // shared memory
  bool is_first;           // to memory that was allocated since, or not at all before
  const AccessHistory* history;  // after the access, if the location has one

  // The present value of these bytes, or of the first ones.
  std::uint32_t value() const {
    std::uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(address), std::min<std::size_t>(bytes, sizeof value));
    return value;
  }
  // What a write by a thread of `block` publishes.
  Published published(std::uint32_t block) const {
    if (history == nullptr || !access.writes()) return {};
    return {block, history->published.in_block(block), history->published.device};
  }
};

// An access, and whether the program uses the value that it reads.
struct Use {
  Access access;
  bool uses;

  bool conflicts(const Use& other) const {
    if (!(access.writes() || other.access.writes()) || !access.overlaps(other.access)) return false;
    return !access.strong() || !other.access.strong();
  }
  // Whether the order of the two decides what the program reads. That of strong accesses: see Lock.
  bool decides(const Use& other) const { return conflicts(other) && (uses || other.uses); }
};
// An earlier access.
struct Step {
  Moment by, in_engine;
  Use use;
  Place place;
  Clock known;  // what comes before, and it

  PastAccess as_past() const { return {in_engine, use.access, 0, 0}; }
  // Whether it is in a section that was open at its place.
  bool is_in(const Section& section) const {
    if (by.thread.number == section.taken.thread.number) return true;
    if (!known.knows(section.taken.thread, section.taken.time)) return false;
    return section.is_open() || section.ends.knows(by.thread, by.time);
  }
};
// What was known at accesses that were forgotten: at writes, and at reads whose value was used.
struct Forgotten {
  Clock writes, reads;
};
// A location.
class Followed {
 public:
  std::vector<Step> steps;  // from the oldest on
  Forgotten plain, strong;
  std::unique_ptr<Lock> lock;  // once it was accessed strongly

  // Whether the last access was the same, and its thread has done nothing since that others could know.
  bool repeats(const Follower& self, const Use& use) const {
    if (steps.empty()) return false;
    const Step& last = steps.back();
    return last.by.thread.number == self.self.number && last.by.time == self.now() && last.use.access.same_operation(use.access);
  }

  // Adds an access. What came at the horizon or before it matters no longer, and, if no lock is held, nor does
  // what a plain write follows.
  void remember(const Follower& self, const Step& step, Place horizon, bool is_unlocked) {
    const Use& use = step.use;
    const auto is_settled = [&](const Step& it) {
      // Of a thread that polls, the last attempt counts.
      if (use.access.strong()) return it.by.thread.number == self.self.number && it.use.access.same_operation(use.access);
      return is_unlocked && use.access.writes() && use.access.covers(it.use.access) && self.knows(it.by);
    };
    steps.erase(std::remove_if(steps.begin(), steps.end(), is_settled), steps.end());
    const auto is_near = [&](const Step& it) { return it.place > horizon; };
    steps.erase(steps.begin(), std::find_if(steps.begin(), steps.end(), is_near));
    steps.push_back(step);
    if (steps.size() > max_steps) forget_first();
  }

 private:
  void forget_first() {
    const Step& gone = steps.front();
    Forgotten& forgotten = gone.use.access.strong() ? strong : plain;
    if (gone.use.access.writes()) forgotten.writes.join(gone.known);
    if (gone.use.uses) forgotten.reads.join(gone.known);
    steps.erase(steps.begin());
  }

  static constexpr std::size_t max_steps = 48;
};

// Whether the program uses the values that accesses read.
class UsedValues {
 public:
  bool uses(const Access& access) {
    const bool updates = access.kind_of_access() == AccessKind::update;
    if (!updates && !(access.writes() && access.strong())) return access.reads();
    if (!updates && !access.how.returns_value) return false;
    const auto [known, is_new] = unused_.try_emplace(access.site, false);
    if (is_new) {
      const Site* const site = SiteTable::instance().find(access.site);
      known->second = site != nullptr && site->result == ResultUse::unused;
    }
    return !known->second;
  }

 private:
  std::unordered_map<std::uint32_t, bool> unused_;  // by site
};

}  // namespace hirace::cpu::order
