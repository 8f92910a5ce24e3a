// What a thread knows: which operations of other threads come before its next one in base causality
// order (PTX ISA, "Causality Order").
#pragma once

#include <cstdint>

#include "causality_graph.h"
#include "copier.h"

namespace hirace::cpu::order {

// The numbers of threads in a grid. Each thread has a copier of each kind, which performs its asynchronous
// operations: the threads of a block come first, then their copiers.
class Numbering {
 public:
  explicit Numbering(std::uint32_t threads_of_block) : threads_(threads_of_block), slots_(slots * threads_of_block) {}

  static bool fits(std::uint64_t blocks, std::uint32_t threads_of_block) {
    return blocks <= (std::uint64_t{1} << 32) / (slots * threads_of_block);
  }
  std::uint32_t threads_of_block() const { return threads_; }
  std::uint32_t thread(std::uint64_t block, std::uint32_t place) const { return static_cast<std::uint32_t>(block) * slots_ + place; }
  std::uint32_t slots_of_block() const { return slots_; }
  std::uint32_t copier(std::uint32_t thread, Copier which) const { return thread + static_cast<std::uint32_t>(which) * threads_; }
  std::uint32_t issuer(std::uint32_t copier) const { return copier - copier % slots_ + place(copier); }
  std::uint32_t block_of(std::uint32_t number) const { return number / slots_; }
  bool is_copier(std::uint32_t number) const { return number % slots_ >= threads_; }
  // Of a thread or of a copier, in its block.
  std::uint32_t place(std::uint32_t number) const { return number % slots_ % threads_; }

 private:
  static constexpr std::uint32_t slots = 1 + copiers_of_thread;
  std::uint32_t threads_, slots_;
};

// A thread with the block that it is in; both by number in the grid.
struct Thread {
  std::uint32_t number, block;
};

class Clock {
 public:
  bool knows(Thread thread, Time time) const { return is_known(latest_.get(), {thread.number, thread.block, time}); }

  // Adds what another clock knows.
  void join(const Clock& other) { order::join_into(latest_, other.latest_); }
  // The same but for what a thread itself has published at last.
  void join_without(std::uint32_t thread, const Clock& other) {
    const Node* latest = other.latest_.get();
    while (latest != nullptr && latest->is_publication_of(thread)) latest = latest->parents[0];
    order::join_into(latest_, Ref(latest));
  }

  void replace(const Clock& other) { latest_ = other.latest_; }

  bool is_empty() const { return latest_.get() == nullptr; }
  bool is_same(const Clock& other) const { return latest_ == other.latest_; }
  // Whether joining the other one is seen at once to add nothing.
  bool contains(const Clock& other) const { return order::contains(latest_, other.latest_); }

  // Adds what some threads have done until now: `lanes` has a bit for each, from the thread `first`.
  // Returns the time that begins.
  Time learn(std::uint32_t first, std::uint32_t lanes) { return add(Node::Kind::lanes, first, lanes); }
  // All threads of a block have met at a barrier.
  Time learn_block(std::uint32_t block) { return add(Node::Kind::block, block, 0); }

 private:
  friend class FenceClocks;

  Time add(Node::Kind kind, std::uint32_t who, std::uint32_t lanes) {
    // What was just joined need not be a node of its own.
    if (!latest_.become(kind, who, lanes)) latest_ = Ref(new Node(kind, who, lanes, false, latest_.get(), nullptr));
    return latest_->time;
  }

  Ref latest_;
};

inline void join(Clock& into, const Clock& from) { into.join(from); }

}  // namespace hirace::cpu::order
