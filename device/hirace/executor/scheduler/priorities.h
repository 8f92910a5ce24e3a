// Priorities of threads in a shuffled schedule: where a thread loses its own, and which thread that
// has lost it continues first.
//
// The method is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, "A
// Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010): threads have
// random priorities, the highest one that can run does, and at a few random change points the running
// thread falls below all others. A race of depth d needs d - 1 of them in the right places.
//
// Change points are among the scheduling points, where an operation that other threads can observe is
// about to happen: an atomic or volatile access, a fence, a barrier of the block or one in memory. Plain
// accesses need none. What they do is the same wherever between two scheduling points it happens, unless
// they race; and then the engine sees that without such a schedule.
//
// # Deviations from the paper
// - The number k of scheduling points is unknown until a launch has run. So the distance to the next
//   change point grows with the number of points passed: each time that number doubles, there are
//   about d - 1 change points. A point has at least the chance that it would have if k were known; the
//   price is a number of change points that grows with log k.
// - Initial priorities follow the shuffled order of blocks, and within a block that of threads. A block
//   whose threads meet at a barrier then runs as one, and the stacks of few blocks are needed at a time.
// - A barrier of the block redraws the priorities of its threads.
// - Operations of a thread that polls are not counted. They are many, and delay nobody.
#pragma once

#include <cstdint>

#include "block_order.h"
#include "fiber.h"

namespace hirace::cpu {

// Chooses the scheduling points at which the running thread loses its priority.
class ChangePoints {
 public:
  // Of a launch with this seed. pass() is called only if the depth is above 1.
  void begin(std::uint64_t seed, std::uint32_t depth) {
    random_ = seed;
    changes_per_doubling_ = depth - 1;
    passed_ = 0;
    loads_ = 0;
    if (depth > 1) choose_next();
  }

  // The running thread is about to make an operation; `loads`: it only reads. Returns whether the
  // thread loses its priority before that.
  bool pass(bool loads) {
    if (!loads) {
      loads_ = 0;
    } else if (loads_ == max_loads) {
      return false;
    } else {
      ++loads_;
    }
    if (--left_ != 0) return false;
    choose_next();
    return true;
  }

  // The operation has changed nothing: the thread polls.
  void take_back() {
    ++left_;
    loads_ = max_loads;
  }

  std::uint64_t draw() { return random_ = mix(random_ + 0x9e3779b97f4a7c15ull); }

 private:
  // A thread that only loads this many times in a row is taken for one that polls.
  static constexpr std::uint32_t max_loads = 4;
  // Keeps the first change points apart.
  static constexpr std::uint64_t head_start = 4;

  void choose_next() {
    // The logarithm of 2 is about two thirds, and the mean of a draw is half of its bound.
    const std::uint64_t bound = (passed_ + head_start) * 4 / (3 * changes_per_doubling_);
    left_ = 1 + draw() % (bound + 1);
    passed_ += left_;
  }

  std::uint64_t random_ = 0;
  std::uint32_t changes_per_doubling_ = 0;
  std::uint32_t loads_ = 0;   // by the running thread, since it last did anything else
  std::uint64_t passed_ = 0;  // points up to the next change point
  std::uint64_t left_ = 0;    // points until then
};

// The threads that have lost their priority, by their new one. Among themselves it is random.
class LowPriorityThreads {
 public:
  bool empty() const { return first_ == nullptr; }

  void add(Fiber* fiber, std::uint64_t priority) {
    fiber->priority = priority;
    Fiber** place = &first_;
    while (*place != nullptr && (*place)->priority > priority) place = &(*place)->next_low;
    fiber->next_low = *place;
    *place = fiber;
  }

  // The highest one.
  Fiber* take() {
    Fiber* const fiber = first_;
    first_ = fiber->next_low;
    return fiber;
  }

 private:
  Fiber* first_ = nullptr;
};

}  // namespace hirace::cpu
