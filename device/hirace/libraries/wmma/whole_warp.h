// Functions that need all lanes of a warp.
#pragma once

#include "../../executor/scheduler/scheduler_interface.h"

namespace hirace::cpu {

// Waits until all 32 lanes of the warp are in the same function, and combines their operands.
void join_matrix_function(SiteId site, const char* name, LaneData* data, Combine combine);

}  // namespace hirace::cpu
