// cg::memcpy_async and cg::wait.
#pragma once

#include "../../hirace.cuh"

#include "../../libraries/cooperative_partitions.h"
#include "../../libraries/async_copy.h"
