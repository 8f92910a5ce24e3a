// An access that was made.
#pragma once

#include <cstdint>

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
struct Past {
  Moment by;
  Access access;
  // Of a strong write: the chain of atomic operations that it belongs to, and its place there.
  std::uint32_t chain, place;
  // Of a plain write, if such writes of one value are no race: a digest of the value, once it is known.
  std::uint32_t value = 0;

  bool has_stored(std::uint32_t digest, const Access& same_bytes) const {
    return access.writes() && !access.strong() && access.same_bytes(same_bytes) && value == digest;
  }
};

}  // namespace hirace::cpu::order
