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

// The numbers of threads in a grid. Each thread has a copier, which performs its asynchronous copies:
// the threads of a block come first, then their copiers.
class Numbering {
 public:
  explicit Numbering(std::uint32_t threads_of_block) : threads_(threads_of_block) {}

  static bool fits(std::uint64_t blocks, std::uint32_t threads_of_block) {
    return blocks <= (std::uint64_t{1} << 32) / (2 * threads_of_block);
  }
  std::uint32_t threads_of_block() const { return threads_; }
  std::uint32_t thread(std::uint64_t block, std::uint32_t place) const { return static_cast<std::uint32_t>(block) * 2 * threads_ + place; }
  std::uint32_t copier(std::uint32_t thread) const { return thread + threads_; }
  std::uint32_t block_of(std::uint32_t number) const { return number / (2 * threads_); }
  bool is_copier(std::uint32_t number) const { return number % (2 * threads_) >= threads_; }
  // Of a thread or of a copier, in its block.
  std::uint32_t place(std::uint32_t number) const { return number % (2 * threads_) % threads_; }

 private:
  std::uint32_t threads_;
};

// A thread with the block that it is in; both by number in the grid.
struct Thread {
  std::uint32_t number, block;
};

// Copies share their content, and so do joins of related clocks: a thousand threads that acquired the
// same release hold it once.
class Clock {
 public:
  bool knows(Thread thread, Time time) const {
    const std::uint32_t* const phase = blocks_.find(thread.block);
    if (phase != nullptr && time.phase < *phase) return true;
    const Time* const single = singles_.find(thread.number);
    return single != nullptr && !(*single < time);
  }

  // Adds what another clock knows.
  void join(const Clock& other) {
    blocks_.join(other.blocks_);
    singles_.join(other.singles_);
  }

  // Whether they share all of their content. Joining with what it already knows leaves a clock the same.
  bool is_same(const Clock& other) const { return blocks_.is_same(other.blocks_) && singles_.is_same(other.singles_); }

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

inline void join(Clock& into, const Clock& from) { into.join(from); }

}  // namespace hirace::cpu::order
