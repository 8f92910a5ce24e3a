// Cooperative groups (CUDA C++ Programming Guide, "Cooperative Groups"): blocks,
// tiles of up to a warp, coalesced threads, and grids launched cooperatively.
#pragma once

#include "../libraries/cooperative_groups.h"
#include "../libraries/cooperative_partitions.h"
