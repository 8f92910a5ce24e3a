// What the order engine remembers of a location that several threads access at a time, or with
// synchronising operations: the accesses that a later one may race with, and what a reader of the
// present value may learn.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "chain.h"
#include "knowledge.h"
#include "limits.h"
#include "location_reads.h"
#include "operation.h"
#include "small_vector.h"

namespace hirace::cpu::order {

// What a release publishes.
using Publication = Reach<Knowledge>;

// A strong read of a value of a chain: it observes all writes of the chain up to its place
// (PTX ISA, "Observation Order").
struct Observer {
  Moment by;
  std::uint32_t chain, place;
};

// Whether some accesses are all strong, and of the same bytes: then most are morally strong to one
// another, and to the next one (PTX ISA, "Morally Strong Operations").
class AllStrong {
 public:
  void add(const Access& access, std::uint32_t block) {
    if (!any_) *this = {access, block};
    strong_ = strong_ && access.strong() && access.same_bytes(one_);
    reaches_device_ = reaches_device_ && access.reaches_device();
    one_block_ = one_block_ && block == block_;
  }
  // Whether all of them are morally strong to an access by a thread of this block.
  bool are_morally_strong_to(const Access& access, std::uint32_t block) const {
    if (!any_ || !strong_ || !access.strong() || !access.same_bytes(one_)) return false;
    return (reaches_device_ && access.reaches_device()) || (one_block_ && block == block_);
  }
  // None is left.
  void clear() { any_ = false; }
  // The location begins so many bytes later.
  void move(int later) { one_ = one_.from(later); }

  AllStrong() = default;

 private:
  AllStrong(const Access& one, std::uint32_t block) : one_(one), block_(block), any_(true) {}

  Access one_{};
  std::uint32_t block_ = 0;
  bool any_ = false, strong_ = true, reaches_device_ = true, one_block_ = true;
};

struct AccessHistory {
  // What most accesses need comes first, so that it shares cache lines.
  LocationId location = 0;
  // Changes with each write.
  Time version = 0;
  // The latest time of an access.
  Time latest = 0;
  // The write of the present value.
  Time written_at{};
  Thread writer{};
  Access write{};
  std::uint32_t chain = 0, place = 0;
  bool written = false;
  // Whether `published` may be other than empty, and whether one of the clocks of fence.sc operations may.
  bool publishes = false, tells_of_fences = false;
  // What that write itself releases. What it goes on from, if it is an atomic operation.
  ReleasedUntil released;
  std::shared_ptr<Chain> before;
  // `published.device` contains all of `before_writes`.
  bool publishes_fences = false;
  AllStrong strong_past, strong_reads;
  // Strong reads that do not write.
  SmallVector<Observer, 1> observers;
  Reads reads;
  SmallVector<PastAccess, 1> past;  // all other accesses
  // What readers of the present value may learn.
  Publication published;
  // What the fence.sc operations before its strong writes and strong reads know, and those before reads
  // that the present value has replaced.
  FenceClocks before_writes, before_reads, before_present;
  // What was forgotten: of the writes of a chain the last one, which whoever has observed has observed
  // them all; and whether that is not all of it.
  std::shared_ptr<const PastAccess> forgotten;
  bool forgot_others = false;

  // The same for a part of the location that begins so many bytes later.
  std::unique_ptr<AccessHistory> of_part(int later) const {
    auto part = std::make_unique<AccessHistory>(*this);
    part->write = write.from(later);
    part->strong_past.move(later);
    part->strong_reads.move(later);
    part->reads.move(later);
    for (PastAccess& it : part->past) it.access = it.access.from(later);
    if (forgotten != nullptr) {
      PastAccess moved = *forgotten;
      moved.access = moved.access.from(later);
      part->forgotten = std::make_shared<const PastAccess>(moved);
    }
    if (before != nullptr) part->before = std::make_shared<Chain>(*before);
    return part;
  }

  // A strong read of the present value, by a thread at a time.
  void observe(const Moment& by) {
    // Threads that poll take turns.
    constexpr std::size_t turns = 2;
    for (std::size_t at = observers.size(); at > 0 && at + turns > observers.size(); --at) {
      Observer& last = observers[at - 1];
      if (last.by.thread.number != by.thread.number || last.chain != chain) continue;
      // Whoever knows of the later read knows of the earlier one.
      if (last.place < place && last.by.time != by.time) break;
      last.place = std::max(last.place, place);
      return;
    }
    observers.push_back({by, chain, place});
  }

  // An access that is no mere read.
  void add(const PastAccess& now) {
    // Often of a lane of the same warp.
    const bool is_near = !past.empty() && past.back().by.thread.block == now.by.thread.block && past.back().by.thread.number / 32 == now.by.thread.number / 32;
    if (is_near && supersedes(now, past.back())) {
      const PastAccess earlier = std::exchange(past.back(), now);
      past.back().supersede(earlier);
      return;
    }
    past.push_back(now);
    trim();
  }

  // Whether to look, after a write that races, for what that write follows. Each of many takes a search, so not at
  // each of many writes.
  bool is_time_to_settle() {
    if (++since_settled_ < past.size() / few_unsettled) return false;
    since_settled_ = 0;
    return true;
  }

  // A plain write is about to replace a value with this digest: that of the last write.
  void note_replaced(std::uint32_t digest, const Access& by) {
    if (!past.empty() && past.back().access.same_bytes(by)) past.back().value = digest;
  }

  // Forgets a part of what a location with many accesses has: counters, locks that many threads take,
  // and plain writes that race.
  void trim() {
    forget_superseded();
    // From here on, what is forgotten can hide a race. It cannot cause a false one.
    forget_older(true);
    forget_older(false);
    if (observers.size() <= max_observers) return;
    for (std::size_t at = 0; at < max_observers / 2; ++at) {
      const Observer& gone = observers[at];
      forget_if([&](const PastAccess& it) { return it.access.writes() && it.chain == gone.chain && it.place <= gone.place; });
    }
    std::size_t seen = 0;
    observers.remove_if([&](const Observer&) { return seen++ < max_observers / 2; });
  }

 private:
  // A later atomic operation of a chain has observed the earlier ones: who knows of it knows of them. If
  // whatever is morally strong to it is so to them, and a report would name the same line, it can stand
  // for them.
  static bool supersedes(const PastAccess& later, const PastAccess& earlier) {
    const bool is_as_wide = earlier.access.strong() && (earlier.access.reaches_device() || !later.access.reaches_device());
    return is_as_wide && later.chain == earlier.chain && later.place > earlier.place && later.access.site == earlier.access.site;
  }

  // A report names the farthest thread, so the last operation by another block stays, and by another warp.
  void forget_superseded() {
    if (++since_superseded_ < few_superseded || past.size() < few_superseded) return;
    since_superseded_ = 0;
    // A lock is taken by one expression and released by another: each has a last operation.
    constexpr std::size_t last_ones = 4;
    for (std::size_t later = 0; later < last_ones && later < past.size(); ++later) forget_superseded_by(past.size() - 1 - later);
  }

  void forget_superseded_by(std::size_t place) {
    const PastAccess last = past[place];
    const PastAccess *of_block = nullptr, *of_warp = nullptr;
    for (const PastAccess& it : past) {
      if (it.chain != last.chain || it.access.site != last.access.site) continue;
      if (it.by.thread.block != last.by.thread.block) {
        of_block = &it;
      } else if (it.by.thread.number / 32 != last.by.thread.number / 32) {
        of_warp = &it;
      }
    }
    past.remove_if([&](const PastAccess& it) {
      if (!supersedes(last, it) || &it == of_block || &it == of_warp) return false;
      // It comes after those that go.
      past[place].supersede(it);
      past[place].superseded_several = true;
      return true;
    });
  }

  void forget_older(bool strong) {
    if (past.size() <= 2 * max_past) return;
    const auto is_kind = [&](const PastAccess& it) { return it.access.strong() == strong; };
    if (static_cast<std::size_t>(std::count_if(past.begin(), past.end(), is_kind)) <= max_past) return;
    std::size_t seen = 0;
    forget_if([&](const PastAccess& it) { return is_kind(it) && ++seen <= max_past / 2; });
  }

  template <class Condition>
  void forget_if(const Condition& condition) {
    const auto goes = [&](const PastAccess& it) {
      if (!condition(it)) return false;
      const bool is_chain = it.access.strong() && (!forgotten || forgotten->chain == it.chain);
      if (is_chain && (!forgotten || forgotten->place < it.place)) forgotten = std::make_shared<const PastAccess>(it);
      forgot_others = forgot_others || !is_chain;
      return true;
    };
    past.remove_if(goes);
  }

  static constexpr std::size_t max_observers = 64, max_past = 64;

  std::size_t since_superseded_ = 0, since_settled_ = 0;
};

}  // namespace hirace::cpu::order
