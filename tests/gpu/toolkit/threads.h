// The threads of a block, one at a time: each runs until it ends or waits for others.
#pragma once

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>
#include <functional>

#include "machine.h"

inline dim3 gridDim, blockDim, blockIdx, threadIdx;
constexpr int warpSize = 32;

namespace made_up {

class Block {
 public:
  // Runs `body` in every thread, in the order of their numbers until they wait.
  void run(const std::function<void()>& body) {
    body_ = &body;
    count_ = blockDim.x * blockDim.y * blockDim.z;
    live_ = count_;
    waiting_ = 0;
    for (unsigned i = 0; i < count_; ++i) begin(i);
    while (live_ != 0) {
      const unsigned before = progress_;
      for (current_ = 0; current_ < count_; ++current_) {
        if (threads_[current_].state != State::ready) continue;
        ++progress_;
        threadIdx = threads_[current_].index;
        swapcontext(&scheduler_, &threads_[current_].context);
      }
      if (progress_ == before) mistake("a deadlock");
    }
  }

  // Waits for all threads that have not ended. Returns for how many of them `predicate` holds.
  unsigned wait_for_block(bool predicate = false) {
    Thread& me = threads_[current_];
    me.state = State::at_block_barrier;
    arrived_true_ += predicate;
    ++waiting_;
    release_block();
    wait(me);
    return true_;
  }

  // Waits for the lanes of the warp in `mask` that have not ended.
  void wait_for_warp(std::uint32_t mask) {
    Thread& me = threads_[current_];
    me.state = State::at_warp_barrier;
    me.mask = mask;
    release_warp(mask);
    wait(me);
  }

  // The result of `choose`, which gets the values of the lanes in `mask` by their numbers.
  template <class T, class Choose>
  auto exchange(std::uint32_t mask, T value, const Choose& choose) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::memcpy(&threads_[current_].value, &value, sizeof value);
    wait_for_warp(mask);
    const auto of_lane = [&](unsigned lane) {
      T given;
      std::memcpy(&given, &threads_[current_ / warpSize * warpSize + lane].value, sizeof given);
      return given;
    };
    const auto chosen = choose(of_lane);
    // Before a lane passes another value.
    wait_for_warp(mask);
    return chosen;
  }

  unsigned lane() const { return current_ % warpSize; }
  std::uint32_t live_lanes() const {
    std::uint32_t live = 0;
    const unsigned first = current_ / warpSize * warpSize;
    for (unsigned i = first; i < count_ && i < first + warpSize; ++i) {
      live |= std::uint32_t{threads_[i].state != State::ended} << i % warpSize;
    }
    return live;
  }

 private:
  enum class State { ready, at_block_barrier, at_warp_barrier, ended };
  struct Thread {
    ucontext_t context;
    State state;
    dim3 index;
    std::uint32_t mask;   // of the warp barrier
    std::uint64_t value;  // that other lanes receive
  };
  static constexpr unsigned max_threads = 1024;
  static constexpr std::size_t stack_bytes = std::size_t{1} << 17;

  void begin(unsigned number) {
    static char* const stacks = static_cast<char*>(
        ::mmap(nullptr, max_threads * stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    Thread& thread = threads_[number];
    thread.state = State::ready;
    thread.index = dim3(number % blockDim.x, number / blockDim.x % blockDim.y, number / blockDim.x / blockDim.y);
    getcontext(&thread.context);
    thread.context.uc_stack.ss_sp = stacks + number * stack_bytes;
    thread.context.uc_stack.ss_size = stack_bytes;
    thread.context.uc_link = &scheduler_;
    makecontext(&thread.context, reinterpret_cast<void (*)()>(run_thread), 0);
  }

  static void run_thread();

  void end() {
    threads_[current_].state = State::ended;
    --live_;
    release_block();
    for (unsigned i = current_ / warpSize * warpSize; i < count_ && i / warpSize == current_ / warpSize; ++i) {
      if (threads_[i].state == State::at_warp_barrier) release_warp(threads_[i].mask);
    }
  }

  // A test may change the index so that the running thread acts for others.
  void wait(const Thread& me) {
    if (me.state == State::ready) return;
    const dim3 index = threadIdx;
    swapcontext(&threads_[current_].context, &scheduler_);
    threadIdx = index;
  }

  void release_block() {
    if (waiting_ == 0 || waiting_ != live_) return;
    waiting_ = 0;
    true_ = std::exchange(arrived_true_, 0);
    for (unsigned i = 0; i < count_; ++i) {
      if (threads_[i].state == State::at_block_barrier) threads_[i].state = State::ready;
    }
  }

  void release_warp(std::uint32_t mask) {
    const unsigned first = current_ / warpSize * warpSize;
    const auto lanes = [&](const auto& visit) {
      for (unsigned i = first; i < count_ && i < first + warpSize; ++i) {
        if ((mask >> i % warpSize & 1) != 0 && threads_[i].state != State::ended) visit(threads_[i]);
      }
    };
    bool all = true;
    lanes([&](const Thread& it) { all &= it.state == State::at_warp_barrier && it.mask == mask; });
    if (all) lanes([](Thread& it) { it.state = State::ready; });
  }

  const std::function<void()>* body_ = nullptr;
  Thread threads_[max_threads];
  ucontext_t scheduler_;
  unsigned count_ = 0, live_ = 0, waiting_ = 0, current_ = 0, progress_ = 0;
  unsigned arrived_true_ = 0, true_ = 0;  // of the predicates at a block barrier
};

// Of the running block.
inline Block& block() {
  static Block* const running = new Block;
  return *running;
}

inline void Block::run_thread() {
  (*block().body_)();
  block().end();
}

// Runs a kernel, block by block.
inline void run_grid(dim3 grid, dim3 threads, const std::function<void()>& thread) {
  ++machine().grid;
  gridDim = grid;
  blockDim = threads;
  for (blockIdx.z = 0; blockIdx.z < grid.z; ++blockIdx.z) {
    for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y) {
      for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x) block().run(thread);
    }
  }
}

}  // namespace made_up

// Barriers, votes and shuffles.

inline void __syncthreads() { made_up::block().wait_for_block(); }
inline int __syncthreads_count(int predicate) { return static_cast<int>(made_up::block().wait_for_block(predicate != 0)); }
inline void __syncwarp(unsigned mask = ~0u) { made_up::block().wait_for_warp(mask); }
// Threads take turns, so only one of them is active.
inline unsigned __activemask() { return 1u << made_up::block().lane(); }
inline unsigned __match_any_sync(unsigned mask, unsigned long long) { return mask & __activemask(); }

namespace made_up {

inline std::uint32_t votes(std::uint32_t mask, bool predicate) {
  return block().exchange(mask, predicate, [&](const auto& of_lane) {
    const std::uint32_t here = mask & block().live_lanes();
    std::uint32_t votes = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane) votes |= std::uint32_t{(here >> lane & 1) != 0 && of_lane(lane)} << lane;
    return votes;
  });
}

// The value of lane `source`, or the lane's own if there is no such lane in its part of the warp.
template <class T>
T shuffled(std::uint32_t mask, T value, int source, int width) {
  const int first = static_cast<int>(block().lane()) / width * width;
  const bool there = source >= first && source < first + width && (block().live_lanes() >> source & 1) != 0;
  const unsigned from = there ? static_cast<unsigned>(source) : block().lane();
  return block().exchange(mask, value, [&](const auto& of_lane) { return of_lane(from); });
}

inline int own_lane() { return static_cast<int>(block().lane()); }

}  // namespace made_up

inline unsigned __ballot_sync(unsigned mask, int predicate) { return made_up::votes(mask, predicate != 0); }
inline int __any_sync(unsigned mask, int predicate) { return made_up::votes(mask, predicate != 0) != 0; }
inline int __all_sync(unsigned mask, int predicate) { return made_up::votes(mask, predicate == 0) == 0; }
inline int __syncthreads_and(int predicate) { return made_up::block().wait_for_block(predicate == 0) == 0; }
inline int __syncthreads_or(int predicate) { return made_up::block().wait_for_block(predicate != 0) != 0; }
template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = warpSize) {
  return made_up::shuffled(mask, value, made_up::own_lane() / width * width + lane % width, width);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  return made_up::shuffled(mask, value, made_up::own_lane() - static_cast<int>(delta), width);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  return made_up::shuffled(mask, value, made_up::own_lane() + static_cast<int>(delta), width);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = warpSize) {
  return made_up::shuffled(mask, value, made_up::own_lane() ^ bits, width);
}
