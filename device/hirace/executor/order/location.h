// What the order engine remembers of a location: the accesses that a later one may race with, and
// what a reader of the present value may learn.
#pragma once

#include <vector>

#include "knowledge.h"
#include "plain_reads.h"
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

struct Location {
  PlainReads reads;
  std::vector<Past> past;  // all other accesses
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
};

}  // namespace hirace::cpu::order
