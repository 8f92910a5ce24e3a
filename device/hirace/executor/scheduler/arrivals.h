// Which threads of a block have arrived at a barrier in two halves, or at that of a tile.
#pragma once

#include <cstdint>

#include "../../checker/shadow.h"

namespace hirace::cpu {

// The threads of a block that have arrived in the present phase of a barrier in two halves: arrive, and
// wait.
class Arrivals {
 public:
  void add(std::uint32_t thread) { lanes_[thread / warp_lanes] |= lane_bit(thread); }
  bool has(std::uint32_t thread) const { return (lanes_[thread / warp_lanes] & lane_bit(thread)) != 0; }
  std::uint32_t lanes_of(std::uint32_t warp) const { return lanes_[warp]; }
  void clear() { *this = {}; }
  void clear(std::uint32_t warp) { lanes_[warp] = 0; }

 private:
  static std::uint32_t lane_bit(std::uint32_t thread) { return std::uint32_t{1} << thread % warp_lanes; }

  std::uint32_t lanes_[max_block_threads / warp_lanes] = {};
};

struct HalvedBarrier {
  std::uint32_t phase = 0;
  Arrivals arrivals;
};

// The barriers of the tiles of several warps that have one size. Thread t is in tile t / size.
struct TileBarriers {
  Arrivals arrivals;
  std::uint32_t phase[max_block_threads / warp_lanes] = {};  // of each tile
};

}  // namespace hirace::cpu
