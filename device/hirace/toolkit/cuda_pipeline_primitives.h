// __pipeline_memcpy_async and relatives.
#pragma once

#include "../hirace.cuh"

#include "../libraries/async_copy.h"
