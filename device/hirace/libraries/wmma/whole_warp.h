// Functions that need all lanes of a warp.
#pragma once

#include "../../executor/scheduler/scheduler_interface.h"

namespace hirace::cpu {

// The operands of a lane. The function that combines them says whether it got those of all lanes.
struct WholeWarpLane : LaneData {
  bool whole = false;
};
inline void set_whole(LaneData* const* data, std::uint32_t lanes) {
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) static_cast<WholeWarpLane*>(data[__builtin_ctz(rest)])->whole = true;
}
// Those of a real warp, also where the executor makes smaller ones.
constexpr std::uint32_t matrix_lanes = 0xffffffffu;

// Waits until all 32 lanes of the warp are in the function `name`, and combines their operands.
void join_whole_warp(SiteId site, const char* name, WholeWarpLane& lane, Combine combine);

}  // namespace hirace::cpu
