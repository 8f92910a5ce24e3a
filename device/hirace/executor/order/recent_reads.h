// The last reads of granules that many threads read: where the next lane of the same warp is noted.
//
// A lane that repeats what another lane of its warp has just done changes one bit of what the engine remembers of
// a location. To find it anew takes longer than the rest of the check.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "location_reads.h"

namespace hirace::cpu::order {

struct RecentRead {
  std::size_t granule = ~std::size_t{0};
  // The fields that all lanes share: launch, block and time.
  std::uint64_t who = 0;
  std::uint32_t site = 0;
  // The place in its block of the thread that has the first bit of `group->lanes`.
  std::uint32_t first = 0;
  Reads::Group* group = nullptr;

  // Adds a read if it is such a one.
  bool add(std::size_t of, std::uint64_t by, std::uint32_t place, std::uint32_t at) {
    const std::uint32_t lane = place - first;
    if (granule != of || who != by || site != at || lane >= 32) return false;
    group->lanes |= 1u << lane;
    return true;
  }
};

class RecentReads {
 public:
  RecentRead& operator[](std::size_t granule) { return reads_[granule % reads_.size()]; }
  // What is remembered of the granule is about to change.
  void forget(std::size_t granule) {
    RecentRead& read = (*this)[granule];
    if (read.granule == granule) read = {};
  }
  void clear() { reads_ = {}; }

 private:
  std::array<RecentRead, 256> reads_;
};

}  // namespace hirace::cpu::order
