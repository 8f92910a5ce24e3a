// How a thread has synchronised with others: what explains why its accesses race (causes.h).
//
// Nothing here decides whether there is a race.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "../../generated/wire.h"
#include "access_history.h"

namespace hirace::cpu::order {

// A strong read of what another thread wrote, strongly: how the two may have meant to synchronise.
struct Exchange {
  Moment writer;
  std::uint32_t written, read;  // sites
  bool morally_strong;
  bool of_block;          // the value is in memory that only threads of one block access
  bool acquired;          // the read is an acquire, or a fence followed
  bool fenced_for_block;  // a fence of block scope followed, and no other
  // What the writer published with the value: to the reader, and to its own block.
  Clock reached, narrow;
  std::uint64_t number;  // of the read
  Time read_at;
  // The writes before the writer's.
  ChainView before;
  // Until when the writer itself has released what it had done. An atomic operation also passes on what others have.
  ReleasedUntil released;

  // Whether the writer published anything to the reader.
  bool releases() const { return morally_strong && !reached.is_empty(); }
  // Whether the write is a release, or follows one in its thread, and not only in the chain.
  bool is_release() const { return releases() && (released.block != 0 || released.device != 0); }
  bool tells_of(const Moment& missed) const {
    return reached.knows(missed.thread, missed.time) || narrow.knows(missed.thread, missed.time);
  }

  // Why the reader has not learnt of what the writer did before.
  RaceCause cause_of(const Moment& missed) const {
    if (!morally_strong) return RaceCause::narrow_scope;
    if (reached.knows(missed.thread, missed.time)) return fenced_for_block ? RaceCause::narrow_scope : RaceCause::not_acquired;
    return narrow.knows(missed.thread, missed.time) ? RaceCause::narrow_scope : RaceCause::not_released;
  }
};

// A barrier of some lanes of a warp that begins with the thread `first`: a bit for each that came.
struct Meeting {
  std::uint32_t first = 0, size = 0, lanes = 0;

  bool leaves_out(Thread other) const {
    const std::uint32_t lane = other.number - first;
    return lane < size && (lanes >> lane & 1) == 0;
  }
};

// An arrival at a barrier that others wait for separately, and those of a phase that a thread has waited for.
struct Arrival {
  Moment by;
  std::uint32_t site;
  const void* barrier;
};
struct Wait {
  std::shared_ptr<const std::vector<Arrival>> arrivals;
  std::uint32_t site = 0;
};

// What a thread did last to synchronise with others.
class ThreadHistory {
 public:
  // A strong read of a value that another thread wrote. A plain write is no attempt to synchronise,
  // nor is an operation that returns nothing.
  struct Observation {
    bool morally_strong;
    bool of_block;  // of memory that only threads of one block access
  };
  void read(Thread self, Time now, const AccessHistory& history, const Access& access, const Observation& how) {
    if (history.writer.number == self.number || !history.write.strong() || !access.how.returns_value) return;
    const Moment writer{history.writer, history.written_at};
    const auto same = [&](const Exchange& it) {
      return it.writer.thread.number == writer.thread.number && it.written == history.write.site && it.read == access.site;
    };
    auto place = std::find_if(exchanges_.begin(), exchanges_.end(), same);
    if (place == exchanges_.end() && exchanges_.size() < max_exchanges) place = exchanges_.insert(place, Exchange());
    if (place == exchanges_.end()) place = std::min_element(exchanges_.begin(), exchanges_.end(), is_older);
    static const Clock nothing;
    const Clock& narrow = history.publishes ? history.published.in_block(history.writer.block) : nothing;
    const Clock& reached = !history.publishes || history.writer.block == self.block ? narrow : history.published.device;
    const ChainView before{history.before, history.before != nullptr ? history.before->show() : 0};
    *place = {writer, history.write.site, access.site, how.morally_strong, how.of_block, acquires(access.how.order), false, reached, narrow, ++read_, now, before,
              history.released};
  }

  void arrive(Time now, const void* barrier) { note({now, barrier}); }
  void wait(Time now, const Wait& wait) {
    note({now, nullptr});
    if (wait.arrivals != nullptr) waits_[waited_++ % kept_waits] = wait;
  }
  // Whether an arrival at a barrier is the last thing that the thread did to synchronise before it accessed
  // memory at this time, and it has not arrived there since: as if it should have arrived after the access.
  bool arrived_early(const Arrival& arrival, Time access) const {
    return std::none_of(std::begin(steps_), std::end(steps_), [&](const Step& it) {
      // What follows a wait has its time.
      const bool is_before = it.at < access || (it.at == access && it.barrier == nullptr);
      const bool is_between = it.at > arrival.by.time && is_before;
      return is_between || (it.at >= access && it.barrier == arrival.barrier);
    });
  }

  // The arrival, in a phase that the thread has waited for, that satisfies a condition, with the site of the wait.
  // Null if there is none.
  template <class Condition, class OfWait = bool (*)(const Wait&)>
  const Arrival* arrival(const Condition& holds, std::uint32_t& waited_at, const OfWait& may_hold = [](const Wait&) { return true; }) const {
    for (std::uint64_t at = waited_; at > 0 && waited_ - at < kept_waits; --at) {
      const Wait& wait = waits_[(at - 1) % kept_waits];
      if (!may_hold(wait)) continue;
      const auto found = std::find_if(wait.arrivals->begin(), wait.arrivals->end(), holds);
      waited_at = wait.site;
      if (found != wait.arrivals->end()) return &*found;
    }
    return nullptr;
  }

  // The same for barriers at known sites at which few threads arrive, as those do that arrive for others.
  template <class Condition>
  const Arrival* arrival_of_few(const Condition& holds, std::uint32_t& waited_at) const {
    constexpr std::size_t few = 1024;
    const auto is_one = [&](const Wait& it) {
      return it.site != 0 && it.arrivals->size() <= few && !it.arrivals->empty() && it.arrivals->front().site != 0;
    };
    return arrival(holds, waited_at, is_one);
  }

  // Whether the thread has arrived at a barrier lately; whether it has waited at a place, for any barrier.
  bool arrives_at(const void* barrier) const {
    return std::any_of(std::begin(steps_), std::end(steps_), [&](const Step& it) { return it.barrier == barrier; });
  }
  bool waits_at(std::uint32_t site) const {
    return std::any_of(std::begin(waits_), std::end(waits_), [&](const Wait& it) { return it.arrivals != nullptr && it.site == site; });
  }

  void fence(Scope scope) {
    for (Exchange& exchange : exchanges_) {
      exchange.acquired = true;
      exchange.fenced_for_block = scope == Scope::block;
    }
  }

  // The last exchange that satisfies a condition, or null.
  template <class Condition>
  const Exchange* last(const Condition& holds) const {
    const Exchange* latest = nullptr;
    for (const Exchange& exchange : exchanges_) {
      if ((latest == nullptr || is_older(*latest, exchange)) && holds(exchange)) latest = &exchange;
    }
    return latest;
  }

 private:
  // An arrival at a barrier, or a wait.
  struct Step {
    Time at = 0;
    const void* barrier = nullptr;
  };
  void note(const Step& step) { steps_[noted_++ % kept_steps] = step; }

  static bool is_older(const Exchange& a, const Exchange& b) { return a.number < b.number; }

  static constexpr std::size_t max_exchanges = 8, kept_waits = 4, kept_steps = 8;

  std::vector<Exchange> exchanges_;
  std::uint64_t read_ = 0;
  Wait waits_[kept_waits];
  std::uint64_t waited_ = 0;
  Step steps_[kept_steps];
  std::uint64_t noted_ = 0;
};

}  // namespace hirace::cpu::order
