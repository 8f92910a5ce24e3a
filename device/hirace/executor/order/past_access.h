// An access that was made.
#pragma once

#include <cstdint>
#include <optional>

#include "operation.h"

namespace hirace::cpu::order {

// The number of a location among all of a launch.
using LocationId = std::uint64_t;

// A thread at a time.
struct Moment {
  Thread thread;
  Time time;
};

// An access that a later one may race with.
struct PastAccess {
  Moment by;
  Access access;
  // Of a strong write: the chain of atomic operations that it belongs to, and its place there.
  std::uint32_t chain, place;
  // Of a plain write, if such writes of one value are no race: a digest of the value, once it is known.
  std::uint32_t value = 0;
  // Of an atomic operation: the first of those right before it in the chain that it stands for, if any,
  // and whether they are of several threads.
  std::optional<Moment> first_superseded{};
  bool superseded_several = false;

  // Stands for an atomic operation, and for what that stands for.
  void supersede(const PastAccess& earlier) {
    first_superseded = earlier.first_superseded ? earlier.first_superseded : earlier.by;
    superseded_several = earlier.superseded_several || first_superseded->thread.number != earlier.by.thread.number;
  }

  bool has_stored(std::uint32_t digest, const Access& same_bytes) const {
    return access.writes() && !access.strong() && access.same_bytes(same_bytes) && value == digest;
  }
};

}  // namespace hirace::cpu::order
