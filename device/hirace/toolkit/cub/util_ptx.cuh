// CUB's helper functions for lanes and bits.
#pragma once

#include "../../hirace.cuh"

namespace cub {

inline unsigned int LaneId() { return hirace::cpu::current_lane(); }
inline unsigned int WarpId() { return hirace::cpu::linear_thread() / hirace::warp_lanes; }
inline unsigned int LaneMaskLt() { return (1u << LaneId()) - 1; }
inline unsigned int LaneMaskLe() { return LaneMaskLt() << 1 | 1; }
inline unsigned int LaneMaskGt() { return ~LaneMaskLe(); }
inline unsigned int LaneMaskGe() { return ~LaneMaskLt(); }

inline int RowMajorTid(int block_x, int block_y, int) {
  return static_cast<int>(threadIdx.z) * block_x * block_y + static_cast<int>(threadIdx.y) * block_x + static_cast<int>(threadIdx.x);
}

template <int logical_threads, int legacy_architecture = 0>
unsigned int WarpMask(unsigned int warp_id) {
  constexpr bool divides = (logical_threads & (logical_threads - 1)) == 0;
  const unsigned int mask = logical_threads >= 32 ? ~0u : (1u << logical_threads % 32) - 1;
  return divides && logical_threads < 32 ? mask << warp_id * logical_threads : mask;
}

template <class T>
unsigned int BFE(T source, unsigned int begin, unsigned int bits) {
  return static_cast<unsigned int>(static_cast<std::make_unsigned_t<T>>(source) >> begin & ((std::uint64_t{1} << bits) - 1));
}

// Lanes without a source keep their own value.
template <int logical_threads, class T>
T ShuffleUp(T input, int offset, int first, unsigned int mask) {
  const int lane = static_cast<int>(LaneId()) % logical_threads;
  return hirace::shfl_sync(hirace::unknown_site, mask, input, lane - offset < first ? lane : lane - offset, logical_threads);
}
template <int logical_threads, class T>
T ShuffleDown(T input, int offset, int last, unsigned int mask) {
  const int lane = static_cast<int>(LaneId()) % logical_threads;
  return hirace::shfl_sync(hirace::unknown_site, mask, input, lane + offset > last ? lane : lane + offset, logical_threads);
}
template <int logical_threads, class T>
T ShuffleIndex(T input, int source, unsigned int mask) {
  return hirace::shfl_sync(hirace::unknown_site, mask, input, source, logical_threads);
}

}  // namespace cub
