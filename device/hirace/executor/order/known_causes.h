// The causes of races between the same two lines, which a program may have many thousand of.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "access_history.h"
#include "causes.h"

namespace hirace::cpu::order {

// To look for a cause takes many searches of the causality graph, and a report shows one per cause. So it is looked
// for at the first races of two lines, and then only now and then.
class KnownCauses {
 public:
  // Why an earlier access races with one of a thread. `races` tells of others whether they do, too: what came last of
  // those that are as far may say more of how the threads synchronise.
  template <class Races>
  Race explain(const Causes& causes, const ThreadState& state, const AccessHistory& history, const PastAccess& past, const Access& access, const Races& races) {
    const Distance distance = causes.between(state.self, past.by.thread);
    Known& known = known_[{past.access.site, access.site, std::uint32_t{past.access.kind} << 8 | access.kind, distance}];
    const std::uint64_t number = known.races++;
    if (number >= first_races && number % one_of != 0) return {past, known.last, false};
    Race race{past, causes.of(state, past, access), false};
    if (race.cause.what == RaceCause::none && !access.strong() && !past.access.strong()) {
      const auto is_as_far = [&](const PastAccess& other) {
        return !other.access.strong() && causes.between(state.self, other.by.thread) == distance && races(other);
      };
      const PastAccess* const last = history.past.find_last(is_as_far);
      const Cause of_last = last == nullptr ? Cause() : causes.of(state, *last, access);
      if (of_last.what != RaceCause::none) race = {*last, of_last, false};
    }
    known.last = race.cause;
    return race;
  }

 private:
  static constexpr std::uint64_t first_races = 512, one_of = 64;

  struct Known {
    std::uint64_t races = 0;
    Cause last;
  };
  // Two sites and the kinds of access there, which tell copies apart; and how far the threads are.
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, Distance>;

  std::map<Key, Known> known_;
};

}  // namespace hirace::cpu::order
