// An access that was made.
#pragma once

#include <cstdint>

#include "operation.h"

namespace hirace::cpu::order {

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
};

}  // namespace hirace::cpu::order
