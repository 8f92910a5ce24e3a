// What a thread knows: which operations of other threads come before its next one in base causality
// order (PTX ISA, "Causality Order").
//
// A thread's time has two parts. The first counts the barriers of its whole block, so that one
// number says that all threads of a block are known up to a barrier. The second counts what the
// thread published since: operations between two publications have the same time, because nobody
// can know one of them without the other.
#pragma once

#include <algorithm>
#include <cstdint>

#include "shared_map.h"

namespace hirace::cpu::order {

struct Time {
  std::uint32_t phase;   // barriers of the whole block
  std::uint32_t number;  // publications since the last of them

  friend bool operator<(Time a, Time b) { return a.phase != b.phase ? a.phase < b.phase : a.number < b.number; }
  friend bool operator==(Time a, Time b) { return a.phase == b.phase && a.number == b.number; }
};

// A thread with the block that it is in; both by number in the grid.
struct Thread {
  std::uint32_t number, block;
};

// Copies share their content, and so do joins of related knowledge: a thousand threads that acquired
// the same release hold it once.
class Knowledge {
 public:
  bool knows(Thread thread, Time time) const {
    const std::uint32_t* const phase = blocks_.find(thread.block);
    if (phase != nullptr && time.phase < *phase) return true;
    const Time* const single = singles_.find(thread.number);
    return single != nullptr && !(*single < time);
  }

  // Adds what another thread knows.
  void join(const Knowledge& other) {
    blocks_.join(other.blocks_);
    singles_.join(other.singles_);
  }

  void learn(Thread thread, Time time) { singles_.add(thread.number, time); }

  // All threads of a block with these numbers have met at a barrier, and are in `phase` now.
  void learn_block(std::uint32_t block, std::uint32_t phase, std::uint32_t first_thread, std::uint32_t threads) {
    blocks_.add(block, phase);
    singles_.remove(first_thread, threads, [phase](Time time) { return time.phase < phase; });
  }

 private:
  SharedMap<std::uint32_t> blocks_;  // their threads are known below this phase
  SharedMap<Time> singles_;          // the thread is known up to this time
};

inline void join(Knowledge& into, const Knowledge& from) { into.join(from); }

}  // namespace hirace::cpu::order
