// What the order engine remembers of a location that several threads access at a time, or with
// synchronising operations: the accesses that a later one may race with, and what a reader of the
// present value may learn.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "knowledge.h"
#include "reads.h"
#include "operation.h"

namespace hirace::cpu::order {

// What a release publishes.
using Publication = Reach<Knowledge>;

// A strong read of a value of a chain: it observes all writes of the chain up to its place
// (PTX ISA, "Observation Order").
struct Observer {
  Moment by;
  std::uint32_t chain, place;
};

struct AccessHistory {
  LocationId location = 0;
  Reads reads;
  std::vector<Past> past;  // all other accesses
  // They have the same bytes, and are strong with the scope of the device at least; likewise the reads.
  bool all_strong = true, reads_strong = true;
  std::vector<Observer> observers;
  // The write of the present value, and what its readers may learn.
  bool written = false;
  Thread writer{};
  Time written_at{};
  Access write{};
  Publication published;
  std::uint32_t chain = 0, place = 0;
  // What the fence.sc operations before its strong writes and strong reads know, and those before reads
  // that the present value has replaced.
  FenceClocks before_writes, before_reads, before_present;
  // `published.device` contains all of `before_writes`.
  bool publishes_fences = false;
  // What was forgotten: of the writes of a chain the last one, which whoever has observed has observed
  // them all; and whether that is not all of it.
  std::optional<Past> forgotten;
  bool forgot_others = false;
  // Changes with each write.
  Time version = 0;

  // A strong read of the present value, by a thread at a time.
  void observe(const Moment& by) {
    // Threads that poll take turns.
    constexpr std::size_t turns = 8;
    for (std::size_t at = observers.size(); at > 0 && at + turns > observers.size(); --at) {
      Observer& last = observers[at - 1];
      if (last.by.thread.number != by.thread.number || last.chain != chain || last.by.time != by.time) continue;
      last.place = std::max(last.place, place);
      return;
    }
    observers.push_back({by, chain, place});
  }

  // A plain write is about to replace a value with this digest: that of the last write.
  void note_replaced(std::uint32_t digest, const Access& by) {
    if (!past.empty() && past.back().access.same_bytes(by)) past.back().value = digest;
  }

  // Forgets half of what a location with many accesses has: counters, locks that many threads take,
  // and plain writes that race. What is forgotten can hide a race, and cannot cause a false one.
  void trim() {
    if (past.size() > 2 * max_past) {
      for (const bool strong : {true, false}) {
        const auto is_kind = [&](const Past& it) { return it.access.strong() == strong; };
        if (static_cast<std::size_t>(std::count_if(past.begin(), past.end(), is_kind)) <= max_past) continue;
        std::size_t seen = 0;
        forget_if([&](const Past& it) { return is_kind(it) && ++seen <= max_past / 2; });
      }
    }
    if (observers.size() <= max_observers) return;
    for (std::size_t at = 0; at < max_observers / 2; ++at) {
      const Observer& gone = observers[at];
      forget_if([&](const Past& it) { return it.access.writes() && it.chain == gone.chain && it.place <= gone.place; });
    }
    observers.erase(observers.begin(), observers.begin() + max_observers / 2);
  }

 private:
  template <class Condition>
  void forget_if(const Condition& condition) {
    const auto goes = [&](const Past& it) {
      if (!condition(it)) return false;
      const bool is_chain = it.access.strong() && (!forgotten || forgotten->chain == it.chain);
      if (is_chain && (!forgotten || forgotten->place < it.place)) forgotten = it;
      forgot_others = forgot_others || !is_chain;
      return true;
    };
    past.erase(std::remove_if(past.begin(), past.end(), goes), past.end());
  }

  static constexpr std::size_t max_observers = 64, max_past = 64;
};

}  // namespace hirace::cpu::order
