// What the order engine remembers of a location: the accesses that a later one may race with, and
// what a reader of the present value may learn.
#pragma once

#include <utility>
#include <vector>

#include "../../generated/wire.h"
#include "operation.h"

namespace hirace::cpu::order {

// What a release publishes, by whom it reaches. The first and the last operation of two patterns
// must be morally strong: those of a block reach each other with any scope, those of different
// blocks only if both scopes are at least that of the device.
struct Publication {
  Knowledge device;
  std::vector<std::pair<std::uint32_t, Knowledge>> blocks;

  Knowledge& of_block(std::uint32_t block) {
    for (auto& entry : blocks) {
      if (entry.first == block) return entry.second;
    }
    return blocks.emplace_back(block, Knowledge()).second;
  }
  Knowledge in_block(std::uint32_t block) const {
    for (const auto& entry : blocks) {
      if (entry.first == block) return entry.second;
    }
    return {};
  }
  void add(const Publication& other) {
    join(device, other.device);
    for (const auto& entry : other.blocks) join(of_block(entry.first), entry.second);
  }
};

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

// A race, and what came closest to ordering it.
struct Race {
  Past past;
  RaceCause cause = RaceCause::none;
  std::uint32_t flag_written = 0, flag_read = 0;  // sites
};

// A strong read of a value that another thread wrote: how the two threads may have meant to
// synchronise.
struct Exchange {
  Moment writer;
  std::uint32_t written, read;  // sites
  bool morally_strong;
  bool fenced_for_block;  // a fence of block scope followed, and no other
  // What the writer published with the value: to the reader, and to its own block.
  Knowledge reached, narrow;

  // Why the reader has not learnt of what the writer did before.
  RaceCause cause_of(const Moment& missed) const {
    if (!morally_strong) return RaceCause::narrow_scope;
    if (reached.knows(missed.thread, missed.time)) return fenced_for_block ? RaceCause::narrow_scope : RaceCause::not_acquired;
    return narrow.knows(missed.thread, missed.time) ? RaceCause::narrow_scope : RaceCause::not_released;
  }
};

// A strong read of a value of a chain: it observes all writes of the chain up to its place
// (PTX ISA, "Observation Order").
struct Observer {
  Moment by;
  std::uint32_t chain, place;
};

struct Location {
  std::vector<Past> past;
  std::vector<Observer> observers;
  // The write of the present value, and what its readers may learn.
  bool written = false;
  Thread writer{};
  Time written_at{};
  Access write{};
  Publication published;
  std::uint32_t chain = 0, place = 0;
};

}  // namespace hirace::cpu::order
