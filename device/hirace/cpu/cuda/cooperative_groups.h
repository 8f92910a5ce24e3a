// Cooperative groups (CUDA C++ Programming Guide, "Cooperative Groups"): blocks,
// tiles of up to a warp, coalesced threads, and grids launched cooperatively.
#pragma once

#include "../cooperative_groups.h"
#include "../cooperative_partitions.h"
