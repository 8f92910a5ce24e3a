// __pipeline_memcpy_async and relatives.
#pragma once

#include "../../hirace.cuh"

#include "../async_copy.h"
