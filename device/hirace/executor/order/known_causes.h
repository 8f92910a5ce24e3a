// The causes of races between the same two lines, which a program may have many thousand of.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "causes.h"

namespace hirace::cpu::order {

// To look for a cause takes many searches of the causality graph, and a report shows one per cause. So it is looked
// for at the first races of two lines, and then only now and then.
class KnownCauses {
 public:
  // Null if a cause must be looked for, and then noted.
  const Cause* find(const PastAccess& past, const Access& access, Distance distance) {
    Known& known = known_[key_of(past, access, distance)];
    const std::uint64_t number = known.races++;
    return number < first_races || number % one_of == 0 ? nullptr : &known.last;
  }
  void note(const PastAccess& past, const Access& access, Distance distance, const Cause& cause) {
    known_[key_of(past, access, distance)].last = cause;
  }

 private:
  static constexpr std::uint64_t first_races = 512, one_of = 64;

  struct Known {
    std::uint64_t races = 0;
    Cause last;
  };
  // Two sites and the kinds of access there, which tell copies apart; and how far the threads are.
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, Distance>;

  static Key key_of(const PastAccess& past, const Access& access, Distance distance) {
    return {past.access.site, access.site, std::uint32_t{past.access.kind} << 8 | access.kind, distance};
  }

  std::map<Key, Known> known_;
};

}  // namespace hirace::cpu::order
