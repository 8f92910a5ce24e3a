// cg::memcpy_async and cg::wait.
#pragma once

#include "../../../hirace.cuh"

#include "../../cooperative_partitions.h"
#include "../../async_copy.h"
