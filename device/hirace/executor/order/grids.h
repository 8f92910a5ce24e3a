// A launch by the host and the launches by its kernels, which one engine follows.
//
// The blocks of such a family of grids have numbers of their own: those of the first grid, then those of
// the next one. To the engine, a grid that a kernel launches is a few more blocks, whose threads know from
// their beginning on what the launching thread had done and knew, and what comes before the grid in its
// stream (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", "Memory Coherence and Consistency").
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "knowledge.h"

namespace hirace::cpu::order {

// What some threads pass on to others: to the engine, and to its predictor.
struct Passed {
  Knowledge known, predicted;

  void join(const Passed& other) {
    known.join(other.known);
    predicted.join(other.predicted);
  }
};

class Grids {
 public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct Grid {
    std::uint32_t first_block;
    std::uint32_t kernel;  // in the table of kernels
    std::uint32_t parent;  // the grid that launched it; none for a launch by the host
  };

  // The next grid begins. Its blocks follow those of the last one.
  void begin(std::uint32_t kernel, std::uint32_t blocks, std::uint32_t parent) {
    all_.push_back({next_block_, kernel, parent});
    next_block_ += blocks;
  }

  bool is_empty() const { return all_.empty(); }
  std::uint32_t next_block() const { return next_block_; }
  std::uint32_t running() const { return static_cast<std::uint32_t>(all_.size()) - 1; }
  const Grid& operator[](std::uint32_t grid) const { return all_[grid]; }

  // The grid of a block.
  std::uint32_t of(std::uint32_t block) const {
    const auto after = std::upper_bound(all_.begin(), all_.end(), block, [](std::uint32_t number, const Grid& it) { return number < it.first_block; });
    return static_cast<std::uint32_t>(after - all_.begin()) - 1;
  }

  // Whether one has launched the other, or a grid that has.
  bool is_ancestor(std::uint32_t grid, std::uint32_t of) const {
    while (of != none && of != grid) of = all_[of].parent;
    return of == grid;
  }

 private:
  std::vector<Grid> all_;
  std::uint32_t next_block_ = 0;
};

}  // namespace hirace::cpu::order

namespace hirace::cpu {

// Of a launch by a kernel: the grid that launched it, and what that passed on.
struct LaunchedBy {
  std::uint32_t parent = order::Grids::none;
  order::Passed told{};
};

}  // namespace hirace::cpu
