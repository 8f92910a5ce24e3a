// Warp intrinsics: shuffles, votes, and active masks.
//
// A lane leaves its operand on its stack and waits; the last one to arrive computes every lane's
// result. Exited lanes are not waited for.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "scheduler_interface.h"

namespace hirace::cpu {

template <class T>
struct ShuffleLane : LaneData {
  T value;
  std::uint32_t source;  // the lane whose value is requested
  bool inactive;         // the source lane does not participate
};

// Reads all values before any lane can continue and change its own.
template <class T>
void combine_shuffle(LaneData* const* data, std::uint32_t lanes) {
  T taken[warp_lanes];
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    const std::uint32_t source = static_cast<ShuffleLane<T>*>(data[lane])->source;
    // The value of a lane that does not participate is undefined: the reading lane gets its own.
    const bool there = (lanes >> source & 1) != 0;
    static_cast<ShuffleLane<T>*>(data[lane])->inactive = !there;
    taken[lane] = static_cast<ShuffleLane<T>*>(data[there ? source : lane])->value;
  }
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    static_cast<ShuffleLane<T>*>(data[lane])->value = taken[lane];
  }
}

inline std::uint32_t current_lane() { return linear_thread() % warp_lanes; }

template <class Bits, class T>
Bits bits_of(const T& value) {
  Bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
template <class T, class Bits>
T from_bits(Bits bits) {
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}

template <class T>
T shuffle(SiteId site, std::uint32_t mask, T value, std::uint32_t source, bool& whole_warp) {
  static_assert(std::is_trivially_copyable_v<T>, "a shuffle copies bytes");
  // One function for all types of a size: on hardware they share one intrinsic.
  if constexpr (sizeof(T) == sizeof(std::uint32_t) && !std::is_same_v<T, std::uint32_t>) {
    return from_bits<T>(shuffle(site, mask, bits_of<std::uint32_t>(value), source, whole_warp));
  } else if constexpr (sizeof(T) == sizeof(std::uint64_t) && !std::is_same_v<T, std::uint64_t>) {
    return from_bits<T>(shuffle(site, mask, bits_of<std::uint64_t>(value), source, whole_warp));
  } else {
    ShuffleLane<T> lane;
    lane.value = value;
    lane.source = source;
    lane.inactive = false;
    whole_warp = wait_for_lanes(site, mask, &lane, &combine_shuffle<T>);
    if (__builtin_expect(lane.inactive, 0)) note_inactive(site);
    return lane.value;
  }
}

// The segments that `width` divides the warp into, as in the PTX ISA, "shfl.sync".
inline std::uint32_t segment_begin(std::uint32_t lane, int width) { return lane & ~(static_cast<std::uint32_t>(width) - 1); }

template <class T, class Lane>
T shfl_sync(SiteId site, std::uint32_t mask, T value, Lane source, int width, bool& whole_warp) {
  const std::uint32_t lane = current_lane();
  const std::uint32_t wanted = static_cast<std::uint32_t>(source) & (static_cast<std::uint32_t>(width) - 1);
  return shuffle(site, mask, value, segment_begin(lane, width) + wanted, whole_warp);
}

template <class T, class Lane>
T shfl_up_sync(SiteId site, std::uint32_t mask, T value, Lane delta, int width, bool& whole_warp) {
  const std::uint32_t lane = current_lane();
  const auto distance = static_cast<std::uint32_t>(delta);
  const bool inside = distance <= lane - segment_begin(lane, width);
  return shuffle(site, mask, value, inside ? lane - distance : lane, whole_warp);
}

template <class T, class Lane>
T shfl_down_sync(SiteId site, std::uint32_t mask, T value, Lane delta, int width, bool& whole_warp) {
  const std::uint32_t lane = current_lane();
  const auto distance = static_cast<std::uint32_t>(delta);
  const std::uint32_t end = segment_begin(lane, width) + static_cast<std::uint32_t>(width);
  const bool inside = distance < end - lane;
  return shuffle(site, mask, value, inside ? lane + distance : lane, whole_warp);
}

template <class T, class Lane>
T shfl_xor_sync(SiteId site, std::uint32_t mask, T value, Lane lane_mask, int width, bool& whole_warp) {
  const std::uint32_t lane = current_lane();
  const std::uint32_t source = lane ^ static_cast<std::uint32_t>(lane_mask);
  // Later segments are out of range, earlier ones are not.
  const bool inside = source < segment_begin(lane, width) + static_cast<std::uint32_t>(width);
  return shuffle(site, mask, value, inside ? source % warp_lanes : lane, whole_warp);
}

struct VoteLane : LaneData {
  bool predicate;
  std::uint32_t lanes, votes;
};

inline void combine_votes(LaneData* const* data, std::uint32_t lanes) {
  std::uint32_t votes = 0;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = __builtin_ctz(rest);
    votes |= std::uint32_t{static_cast<VoteLane*>(data[lane])->predicate} << lane;
  }
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    auto* const lane = static_cast<VoteLane*>(data[__builtin_ctz(rest)]);
    lane->lanes = lanes;
    lane->votes = votes;
  }
}

inline VoteLane vote(SiteId site, std::uint32_t mask, int predicate, bool& whole_warp) {
  VoteLane lane;
  lane.predicate = predicate != 0;
  whole_warp = wait_for_lanes(site, mask, &lane, &combine_votes);
  return lane;
}

inline unsigned ballot_sync(SiteId site, std::uint32_t mask, int predicate, bool& whole_warp) {
  return vote(site, mask, predicate, whole_warp).votes;
}
inline int any_sync(SiteId site, std::uint32_t mask, int predicate, bool& whole_warp) {
  return vote(site, mask, predicate, whole_warp).votes != 0 ? 1 : 0;
}
inline int all_sync(SiteId site, std::uint32_t mask, int predicate, bool& whole_warp) {
  const VoteLane lane = vote(site, mask, predicate, whole_warp);
  return lane.votes == lane.lanes ? 1 : 0;
}

// Lanes with an equal value, by the bytes of the value.
template <class T>
struct MatchLane : LaneData {
  T value;
  std::uint32_t lanes, equal;
};

template <class T>
void combine_match(LaneData* const* data, std::uint32_t lanes) {
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    auto* const lane = static_cast<MatchLane<T>*>(data[__builtin_ctz(rest)]);
    lane->lanes = lanes;
    lane->equal = 0;
    for (std::uint32_t others = lanes; others != 0; others &= others - 1) {
      const int other = __builtin_ctz(others);
      const bool equal = static_cast<MatchLane<T>*>(data[other])->value == lane->value;
      lane->equal |= std::uint32_t{equal} << other;
    }
  }
}

template <class T>
MatchLane<T> match(SiteId site, std::uint32_t mask, T value, bool& whole_warp) {
  MatchLane<T> lane;
  lane.value = value;
  whole_warp = wait_for_lanes(site, mask, &lane, &combine_match<T>);
  return lane;
}

template <class T>
unsigned match_any_sync(SiteId site, std::uint32_t mask, T value, bool& whole_warp) {
  return match(site, mask, value, whole_warp).equal;
}

template <class T>
unsigned match_all_sync(SiteId site, std::uint32_t mask, T value, int* predicate, bool& whole_warp) {
  const MatchLane<T> lane = match(site, mask, value, whole_warp);
  *predicate = lane.equal == lane.lanes ? 1 : 0;
  return *predicate != 0 ? lane.lanes : 0;
}

// Reductions and scans over the lanes of a mask, in the order of the lanes.
template <class T, class Operation>
struct ReduceLane : LaneData {
  T value;
  const Operation* operation;
};

template <class T, class Operation>
void combine_reduction(LaneData* const* data, std::uint32_t lanes) {
  using Lane = ReduceLane<T, Operation>;
  T result = static_cast<Lane*>(data[__builtin_ctz(lanes)])->value;
  for (std::uint32_t rest = lanes & (lanes - 1); rest != 0; rest &= rest - 1) {
    auto* const lane = static_cast<Lane*>(data[__builtin_ctz(rest)]);
    result = (*lane->operation)(result, lane->value);
  }
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) static_cast<Lane*>(data[__builtin_ctz(rest)])->value = result;
}

template <class T, class Operation>
void combine_scan(LaneData* const* data, std::uint32_t lanes) {
  using Lane = ReduceLane<T, Operation>;
  T sum = static_cast<Lane*>(data[__builtin_ctz(lanes)])->value;
  for (std::uint32_t rest = lanes & (lanes - 1); rest != 0; rest &= rest - 1) {
    auto* const lane = static_cast<Lane*>(data[__builtin_ctz(rest)]);
    lane->value = sum = (*lane->operation)(sum, lane->value);
  }
}

template <class T, class Operation>
T reduce_sync(SiteId site, std::uint32_t mask, T value, const Operation& operation, bool& whole_warp) {
  ReduceLane<T, Operation> lane;
  lane.value = value;
  lane.operation = &operation;
  whole_warp = wait_for_lanes(site, mask, &lane, &combine_reduction<T, Operation>);
  return lane.value;
}

#define HIRACE_WARP_REDUCTION(name, type, expression)                                                  \
  inline type name(SiteId site, std::uint32_t mask, type value, bool& whole_warp) {                    \
    return reduce_sync(site, mask, value, [](type a, type b) -> type { return expression; }, whole_warp); \
  }
#define HIRACE_WARP_REDUCTIONS(type)                          \
  HIRACE_WARP_REDUCTION(reduce_add_sync, type, a + b)         \
  HIRACE_WARP_REDUCTION(reduce_min_sync, type, a < b ? a : b) \
  HIRACE_WARP_REDUCTION(reduce_max_sync, type, a > b ? a : b)
HIRACE_WARP_REDUCTIONS(int)
HIRACE_WARP_REDUCTIONS(unsigned)
HIRACE_WARP_REDUCTION(reduce_and_sync, unsigned, a & b)
HIRACE_WARP_REDUCTION(reduce_or_sync, unsigned, a | b)
HIRACE_WARP_REDUCTION(reduce_xor_sync, unsigned, a ^ b)
#undef HIRACE_WARP_REDUCTIONS
#undef HIRACE_WARP_REDUCTION

template <class T, class Operation>
T scan_sync(SiteId site, std::uint32_t mask, T value, const Operation& operation, bool& whole_warp) {
  ReduceLane<T, Operation> lane;
  lane.value = value;
  lane.operation = &operation;
  whole_warp = wait_for_lanes(site, mask, &lane, &combine_scan<T, Operation>);
  return lane.value;
}

}  // namespace hirace::cpu
